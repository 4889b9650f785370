/** SIGKILL under load: of the bridge, of replicas in turn, and of PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { PostgresServer } from '../../backend-bridge/src/platform/storage/postgres/server.testing.ts';
import { freeAddress } from '../real/support/child.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';
import { type Senders, startSenders } from './senders.ts';
import { compare, recount } from './stored.ts';

export const SENDERS = 8;
/** Only against hanging. */
const PATIENCE_MS = 180_000;
/** Delays before a kill. */
const LONGEST_MS = 150;
const STEP_MS = 37;

export interface Kills {
  store: 'sqlite' | 'postgres';
  kills: number;
  /** Bridges on one PostgreSQL database. Default: 1 */
  replicas?: number;
  /** Notifications of a request. Default: single sends */
  batch?: number | undefined;
  onKill?: (done: number, acknowledged: number) => void;
  /** Ends it before that, with the result so far. */
  isOver?: () => boolean;
  /** Bridges and server do not get the signals of the terminal. Default: false */
  detached?: boolean;
}

export interface KillsResult {
  /** By killed process. */
  kills: Record<string, number>;
  acknowledged: number;
  /** Requests that got no acknowledgement, and were repeated. */
  repeated: number;
  mistakes: string[];
}

/** A process that is killed and started again. */
interface Victim {
  name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function proveKills({
  store,
  kills,
  replicas = 1,
  batch,
  onKill,
  isOver = () => false,
  detached = false,
}: Kills): Promise<KillsResult> {
  const folder = mkdtempSync(join(tmpdir(), 'nodebell-kills-'));
  const server = store === 'postgres' ? await PostgresServer.open({ detached }) : undefined;
  const databaseUrl = server && (await createDatabase(server));
  const settings = settingsFor(databaseUrl);
  const bridges = await Promise.all(
    Array.from({ length: replicas }, (_, index) =>
      killable({ dataDir: join(folder, String(index)), settings, detached })
    )
  );
  const killed: Record<string, number> = {};
  try {
    // One after another: the first one makes the tables.
    for (const bridge of bridges) {
      await bridge.start();
    }
    const senders = startSenders({ urls: bridges.map(({ url }) => url), senders: SENDERS, batch });
    const progress = (): Promise<void> => progressOf(senders);
    const victims: Victim[] = [...bridges, ...(server ? [killableServer(server)] : [])];
    for (let round = 0; round < kills && !isOver(); round += 1) {
      const victim = victims[round % victims.length]!;
      await progress();
      await anotherMoment(round);
      await victim.kill();
      killed[victim.name] = (killed[victim.name] ?? 0) + 1;
      await victim.start();
      onKill?.(round + 1, senders.acknowledged.length);
    }
    await progress();
    await senders.end();
    const mistakes: string[] = [];
    for (const bridge of bridges) {
      mistakes.push(...(await compare((path) => bridge.get(path), senders.acknowledged)));
    }
    await Promise.all(bridges.map((bridge) => bridge.stop()));
    mistakes.push(...(await recount(databaseUrl ?? join(folder, '0', 'nodebell.db'))));
    return {
      kills: killed,
      acknowledged: senders.acknowledged.length,
      repeated: repeatedOf(senders),
      mistakes,
    };
  } finally {
    await Promise.all(bridges.map((bridge) => bridge.stop()));
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const repeatedOf = ({ statuses }: Senders): number =>
  [...statuses].reduce((sum, [status, count]) => (status === 200 || status === 201 ? sum : sum + count), 0);

const settingsFor = (databaseUrl: string | undefined): Record<string, string> =>
  // Errors are expected while the server is gone.
  databaseUrl === undefined ? {} : { NODEBELL_LOG_LEVEL: 'silent', NODEBELL_DATABASE_URL: databaseUrl };

export async function createDatabase(server: PostgresServer): Promise<string> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query('create database nodebell');
  await client.end();
  return server.url('nodebell');
}

/** Waits until each sender can have been acknowledged once more. */
export async function progressOf({ acknowledged, statuses }: Senders): Promise<void> {
  const target = acknowledged.length + SENDERS;
  await until(
    () => acknowledged.length >= target,
    () => `nothing is acknowledged any more: ${JSON.stringify([...statuses])}`
  );
}

/** @throws after a time that no working bridge needs @param failure what is wrong then */
export async function until(check: () => boolean | Promise<boolean>, failure: () => string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await check())) {
    if (Date.now() > deadline) {
      throw new Error(failure());
    }
    await wait(5);
  }
}

/** Varies the moment of each kill. */
export const anotherMoment = (round: number): Promise<void> => wait((round * STEP_MS) % LONGEST_MS);

export type KillableBridge = Victim & { url: string; get: RunningBridge['get']; stop(): Promise<void> };

/** On one port and one folder for all its lives. */
export async function killable({
  name = 'bridge',
  dataDir,
  settings,
  detached,
}: {
  name?: string;
  dataDir: string;
  settings: Record<string, string>;
  detached: boolean;
}): Promise<KillableBridge> {
  const address = await freeAddress();
  let running: RunningBridge | undefined;
  return {
    name,
    url: `http://${address}`,
    get: (path, as) => running!.get(path, as),
    async start() {
      const common = { NODEBELL_PORT: address.split(':')[1]!, NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN };
      running = await runBridge(dataDir, { ...common, ...settings }, { detached });
    },
    kill: async () => running?.kill('SIGKILL'),
    stop: async () => running?.stop(),
  };
}

function killableServer(server: PostgresServer): Victim {
  return {
    name: 'PostgreSQL',
    kill: () => server.kill('SIGKILL'),
    start: () => startAgain(server),
  };
}

/** It does not start while a child of the one that was killed still has its shared memory. */
export async function startAgain(server: PostgresServer): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await server.start();
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
      await wait(50);
    }
  }
}
