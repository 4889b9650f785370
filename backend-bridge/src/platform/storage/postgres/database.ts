/** A PostgreSQL database, 15 or newer: opened and checked. */
import { Kysely, sql } from 'kysely';
import type pg from 'pg';
import { type Database, type Engine, numberOf } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { dialectOf } from './connection.ts';
import * as bulk from './bulk.ts';
import type { ConnectionOptions, Timeouts } from './pool.ts';
import * as text from './text.ts';

export interface PostgresOptions {
  readonly?: boolean;
  timeouts?: Partial<Timeouts>;
  onError?: (error: unknown) => void;
}

/** Connections for reading, of one bridge. */
const READERS = 5;
const OLDEST = 150_000;
/** Rows of 2 kB: with less space, the next notifications would soon be rejected again. */
const PROBE_ROWS = 2048;
const TIMEOUTS: Timeouts = { connect: 5000, statement: 30_000, idle: 5000, lock: 10_000, response: 35_000 };

const connectionsOf = new WeakMap<Database, Pick<ConnectionOptions, 'clients' | 'outdated'>>();

/** @param url `postgres://user:password@host/database`, with TLS as `pg` documents */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const { readonly = false, timeouts, onError } = options;
  const connections = { clients: new Set<pg.PoolClient>(), outdated: new WeakSet<pg.PoolClient>() };
  const connection = {
    ...{ url, ...connections },
    writer: !readonly,
    max: readonly ? READERS : 1,
    timeouts: { ...TIMEOUTS, ...timeouts },
  };
  const db = new Kysely<Schema>({
    dialect: dialectOf(connection, POSTGRES),
    ...(onError && { log: (event) => (event.level === 'error' ? onError(event.error) : undefined) }),
  });
  connectionsOf.set(db, connections);
  return db;
}

/** @throws when the server is too old, or the database cannot hold every text */
async function checkServer(db: Database): Promise<void> {
  const { rows } = await sql<{ version: number; name: string; encoding: string }>`select
    current_setting('server_version_num')::bigint as version, current_setting('server_version') as name,
    current_setting('server_encoding') as encoding`.execute(db);
  const { version, name, encoding } = rows[0]!;
  if (version < OLDEST) {
    throw new Error(`The server is PostgreSQL ${name}; 15 or newer is needed.`);
  }
  if (encoding !== 'UTF8') {
    throw new Error(`The encoding of the database is ${encoding}; create it with: create database … encoding 'UTF8'`);
  }
}

export const POSTGRES: Engine = {
  name: 'postgres',
  ...bulk,
  textSearch: text.textSearch,
  textMatches: text.textMatches,
  isRareText: text.isRareText,
  indexText: text.indexText,
  reindexText: text.reindexText,
  checkServer,
  async hasTable(db, name) {
    const { rows } = await sql<{ found: string | null }>`select to_regclass(${name})::text as found`.execute(db);
    return rows[0]?.found != null;
  },
  async probeSpace(trx) {
    // Short of the size at which values are compressed. A table that is dropped in its transaction leaves no files.
    await sql`create table nodebell_probe as
      select repeat(md5(number::text), 60) as filling from generate_series(1, ${sql.lit(PROBE_ROWS)}) as number`.execute(
      trx
    );
    await sql`drop table nodebell_probe`.execute(trx);
  },
  serverTime: (db) => numberOf(db, sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as n`),
  freeBytesInside: () => Promise.resolve(0),
  // Other programs may have schemas of their own in the same database.
  usedBytes: (db) =>
    numberOf(
      db,
      sql`select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as n
        from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`
    ),
  checkpoint: () => Promise.resolve(),
  disconnect: (db) => connectionsOf.get(db)?.clients.forEach((client) => client.connection.stream.destroy()),
  reconnect(db) {
    const { clients, outdated } = connectionsOf.get(db)!;
    clients.forEach((client) => outdated.add(client));
  },
};
