/** The two stores that a bridge is measured on, each empty or filled. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { PostgresServer } from '../../backend-bridge/src/platform/storage/postgres/server.testing.ts';
import { type RunningBridge, runBridge } from './bridge.ts';

/** One database, for any number of bridges. */
export interface Place {
  /** Address for `openDatabase`. */
  address: string;
  /** @param settings in addition to the common ones */
  bridge(settings?: Record<string, string>): Promise<RunningBridge>;
  remove(): Promise<void>;
}

export interface BenchStore {
  name: 'SQLite' | 'PostgreSQL';
  /** A new, empty database. */
  place(): Promise<Place>;
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'nodebell-bench-'));
const removeFolder = (dir: string): void => rmSync(dir, { recursive: true, force: true });

const SQLITE: BenchStore = {
  name: 'SQLite',
  place() {
    const dir = folder();
    return Promise.resolve({
      address: databasePath(dir),
      bridge: (settings) => runBridge(dir, settings),
      remove: () => Promise.resolve(removeFolder(dir)),
    });
  },
};

function postgres(server: PostgresServer): BenchStore {
  let last = 0;
  return {
    name: 'PostgreSQL',
    async place() {
      last += 1;
      const name = `bench_${last}`;
      await administer(server, `create database ${name}`);
      const address = server.url(name);
      const dirs: string[] = [];
      return {
        address,
        bridge(settings) {
          const dir = folder();
          dirs.push(dir);
          return runBridge(dir, { NODEBELL_DATABASE_URL: address, ...settings });
        },
        async remove() {
          await administer(server, `drop database ${name} with (force)`);
          dirs.forEach(removeFolder);
        },
      };
    },
  };
}

async function administer(server: PostgresServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Calls back with both stores, or with SQLite alone where no PostgreSQL server can be started, which is said. */
export async function withStores(use: (stores: BenchStore[]) => Promise<void>): Promise<void> {
  const server = await PostgresServer.open().catch((error: Error) => {
    console.error(`Without PostgreSQL: ${error.message}`);
    return undefined;
  });
  try {
    await use(server ? [SQLITE, postgres(server)] : [SQLITE]);
  } finally {
    await server?.remove();
  }
}

export interface Effort {
  /** Duration of one measurement. */
  seconds: number;
  /** Rounds of measurements that are compared with a reference. */
  rounds: number;
  /** Notifications stored. */
  counts: readonly number[];
}

/** @returns rows of the table: what was measured, and the value */
export type Part = (store: BenchStore, effort: Effort) => Promise<string[][]>;
