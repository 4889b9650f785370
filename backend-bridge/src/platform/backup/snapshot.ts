/** Every table of a store in one consistent state, read in batches and in the order of the primary keys. */
import { sql } from 'kysely';
import { type Database, type Engine, engineOf } from '../storage/engine.ts';
import { TABLES } from '../storage/migrations/index.ts';
import { findNumber } from '../storage/series.ts';
import { TransferError } from './errors.ts';

/** A value of either engine; flags are 0 or 1. */
export type Value = string | number | null;

export interface TableShape {
  name: string;
  columns: string[];
}

export interface Snapshot {
  engine: Engine['name'];
  /** Names of the applied migrations, in order. */
  migrations: string[];
  /** The last id that was given to a notification. */
  lastNotification: number;
  /** In the order of their names. */
  tables: TableShape[];
  /** The last number given out by each table that numbers its rows itself. */
  counters: Record<string, number>;
  /** Rows as lists of values in the order of the columns, some at a time. */
  rows(table: TableShape): AsyncIterable<Value[][]>;
}

/** Operations that differ between the engines. */
export interface SnapshotEngine {
  name: Snapshot['engine'];
  /** Columns of the primary key, in order. */
  keyOf(db: Database, table: string): Promise<string[]>;
  counters(db: Database): Promise<Record<string, number>>;
  rows(db: Database, table: TableShape, order: string[]): AsyncIterable<Value[][]>;
}

/** The tables that the store has, with their columns; other tables of the same database are left alone. */
export async function contentTables(db: Database): Promise<TableShape[]> {
  const tables = await db.introspection.getTables();
  const schema = await currentSchema(db);
  return tables
    .filter((table) => TABLES.has(table.name) && table.schema === schema)
    .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** SQLite has none. */
async function currentSchema(db: Database): Promise<string | undefined> {
  if (engineOf(db).name === 'sqlite') {
    return undefined;
  }
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  return rows[0]?.name;
}

/** @param db a transaction that sees one state; the snapshot is valid while it lasts */
export async function takeSnapshot(db: Database, engine: SnapshotEngine): Promise<Snapshot> {
  if (!(await engineOf(db).hasTable(db, 'migrations'))) {
    throw new TransferError('refused', 'It contains no store of Nodebell.');
  }
  const { rows: applied } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  const tables = await contentTables(db);
  return {
    engine: engine.name,
    migrations: applied.map(({ name }) => name),
    lastNotification: (await findNumber(db, 'notification')) ?? 0,
    tables,
    counters: await engine.counters(db),
    rows: (table) => ordered(db, engine, table),
  };
}

async function* ordered(db: Database, engine: SnapshotEngine, table: TableShape): AsyncGenerator<Value[][]> {
  yield* engine.rows(db, table, await engine.keyOf(db, table.name));
}
