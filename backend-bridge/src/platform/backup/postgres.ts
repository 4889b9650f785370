/** A store in a PostgreSQL database: read while bridges run, replaced in one transaction while none is connected. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { inList } from '../storage/bulk.ts';
import type { Database } from '../storage/engine.ts';
import { TABLES } from '../storage/migrations/index.ts';
import { WRITER_LOCK } from '../storage/postgres/connection.ts';
import { openPostgres, POSTGRES, type PostgresOptions } from '../storage/postgres/database.ts';
import { TransferError } from './errors.ts';
import type { Place } from './place.ts';
import { contentTables, type SnapshotEngine, takeSnapshot, type Value } from './snapshot.ts';

/** Name of the tool's connections, among those of bridges. */
const NAME = 'nodebell-transfer';
/** A large table takes as long as it takes. */
const PATIENT: PostgresOptions = { timeouts: { statement: 0, response: 0 } };
/** Characters of rows that are fetched at once, and how many rows that may be. */
const FETCHED = 1_000_000;
const [MIN_ROWS, MAX_ROWS] = [10, 500];
/** Number of checks whether the store is free, and milliseconds between them. */
const [ATTEMPTS, ATTEMPT_MS] = [20, 100];
/** Beside the content. */
const OTHER_TABLES = ['notifications_text', 'migrations', 'migrations_lock'];

const READING: SnapshotEngine = {
  name: 'postgres',
  async keyOf(db, table) {
    const { rows } = await sql<{ name: string }>`select a.attname as name from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indisprimary and i.indrelid = to_regclass(${table})
      order by array_position(i.indkey::smallint[], a.attnum)`.execute(db);
    return rows.map(({ name }) => name);
  },
  async counters(db) {
    const counters: Record<string, number> = {};
    for (const { table, sequence } of await sequences(db)) {
      const { rows } = await sql<{ last: number }>`select case when is_called then last_value else 0 end as last
        from ${sql.raw(sequence)}`.execute(db);
      counters[table] = rows[0]!.last;
    }
    return counters;
  },
  async *rows(db, { name, columns }, order) {
    const sorted = order.length > 0 ? order : columns.slice(0, 1);
    await sql`declare transfer_rows no scroll cursor for select ${sql.join(columns.map((column) => sql.ref(column)))}
      from ${sql.table(name)} order by ${sql.join(sorted.map((column) => sql.ref(column)))}`.execute(db);
    for (let count = MIN_ROWS; ;) {
      const { rows } = await sql<Record<string, Value>>`fetch ${sql.lit(count)} from transfer_rows`.execute(db);
      if (rows.length === 0) {
        break;
      }
      const values = rows.map((row) => columns.map((column) => row[column]!));
      const size = values
        .flat()
        .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
      count = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.round((FETCHED * rows.length) / size)));
      yield values;
    }
    await sql`close transfer_rows`.execute(db);
  },
};

/** Sequences of the tables that number their rows themselves. */
async function sequences(db: Database): Promise<Array<{ table: string; sequence: string }>> {
  const { rows } = await sql<{ table: string; sequence: string }>`select c.relname as "table",
      pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attidentity <> '' and c.relnamespace = current_schema()::regnamespace order by 1`.execute(db);
  return rows.filter(({ table }) => TABLES.has(table));
}

/** @param url `postgres://user:password@host/database` */
export function postgresPlace(url: string): Place {
  const named = Object.assign(new URL(url), {});
  named.searchParams.set('application_name', NAME);
  const address = named.href;
  const label = `${named.protocol}//${named.username && `${named.username}@`}${named.host}${named.pathname}`;
  const using = async <T>(options: PostgresOptions, use: (db: Database) => Promise<T>): Promise<T> => {
    const db = openPostgres(address, options);
    try {
      return await use(db);
    } catch (error) {
      throw reachable(error, label);
    } finally {
      await db.destroy();
    }
  };
  let unlock = (): Promise<void> => Promise.resolve();
  return {
    label,
    exists: () => using({ readonly: true }, (db) => POSTGRES.hasTable(db, 'migrations')),
    read: (use) => using({ readonly: true, ...PATIENT }, use),
    write: (use) => using({}, (db) => db.transaction().execute(use)),
    snapshot: (use) =>
      using({ readonly: true, ...PATIENT }, (db) =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (trx) => use(await takeSnapshot(trx, READING)))
      ),
    snapshotOf: (trx) => takeSnapshot(trx, READING),
    async setCounter(trx, table, last) {
      const found = (await sequences(trx)).find((one) => one.table === table);
      if (found) {
        await sql`select setval(${found.sequence}::regclass, ${Math.max(1, last)}::bigint, ${last > 0}::boolean)`.execute(
          trx
        );
      }
    },
    indexesOf,
    async lock() {
      unlock = await keepBridgesAway(address, label);
      return { release: () => unlock() };
    },
    async replace(fill) {
      // The transaction takes the same lock.
      await unlock();
      await using(PATIENT, (db) =>
        db.transaction().execute(async (trx) => {
          await dropStore(trx);
          await fill(trx);
        })
      );
      return undefined;
    },
  };
}

async function indexesOf(trx: Database, tables: readonly string[]): Promise<{ name: string; make: string }[]> {
  const { rows } = await sql<{ name: string; make: string }>`select i.indexrelid::regclass::text as name,
        pg_get_indexdef(i.indexrelid) as make
      from pg_index i join pg_class t on t.oid = i.indrelid
      where t.relnamespace = current_schema()::regnamespace and ${inList('t.relname', tables)}
        and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid) order by 1`.execute(trx);
  return rows;
}

/**
 * Holds the lock of writers: a bridge that starts waits for it, and gives up.
 * @returns releases it
 * @throws TransferError when a bridge, or another program of the same user, is connected
 */
async function keepBridgesAway(address: string, label: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: address });
  // If the connection is lost, the next statement fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // A session ends a moment after its program.
    for (let attempt = 1; ; attempt += 1) {
      const others = await otherSessions(client);
      if (others === undefined) {
        break;
      }
      if (attempt === ATTEMPTS) {
        throw new TransferError(
          'in_use',
          `${label} is in use (${others}). Stop all bridges and other programs that use it.`
        );
      }
      await sleep(ATTEMPT_MS);
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw reachable(error, label);
  }
  return () => client.end().catch(() => undefined);
}

/** Takes the lock of writers. @returns names of the programs that are connected; undefined if there is none */
async function otherSessions(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), 'unknown') as name from pg_stat_activity
     where datname = current_database() and usename = current_user and backend_type = 'client backend' and application_name <> $1`,
    [NAME]
  );
  if (rows.length > 0) {
    return rows.map(({ name }) => name).join(', ');
  }
  const { rows: locked } = await client.query<{ free: boolean }>(`select pg_try_advisory_lock(${WRITER_LOCK}) as free`);
  return locked[0]?.free ? undefined : NAME;
}

/** Drops what belongs to the store; other tables of the schema are left alone. */
async function dropStore(trx: Database): Promise<void> {
  const names = [...(await contentTables(trx)).map(({ name }) => name), ...OTHER_TABLES];
  const { rows: functions } = await sql<{ name: string }>`select distinct tgfoid::regprocedure::text as name
    from pg_trigger where not tgisinternal and tgrelid in (select to_regclass(name) from unnest(${names}::text[]) as listed (name))`.execute(
    trx
  );
  await sql`drop table if exists ${sql.join(names.map((name) => sql.table(name)))}`.execute(trx);
  for (const { name } of functions) {
    await sql`drop function ${sql.raw(name)}`.execute(trx);
  }
}

/** Errors of the connection in a sentence, without the URL. */
function reachable(error: unknown, label: string): unknown {
  const { code, message } = error as Error & { code?: unknown };
  const isConnection = typeof code === 'string' && /^(?:08|28|3D|57P|E[A-Z]+$)/.test(code);
  return isConnection && !(error instanceof TransferError)
    ? new TransferError('in_use', `${label} cannot be used: ${message}`, error)
    : error;
}
