/** Fills an empty database with a store in portable form, and verifies what it then contains. */
import { sql } from 'kysely';
import { insertRows } from '../storage/bulk.ts';
import { migrate } from '../database.ts';
import { type Database, engineOf, type Transacting } from '../storage/engine.ts';
import { FIRST, MIGRATIONS } from '../storage/migrations/index.ts';
import type { Schema } from '../storage/schema.ts';
import { indexText } from '../storage/textIndex.ts';
import { TransferError } from './errors.ts';
import { differenceOfAll, type Header, type Part, Sum, sumsOf, type Trailer } from './format.ts';
import { contentTables, type Snapshot, type TableShape, type Value } from './snapshot.ts';

/** Operations that differ between the engines. */
export interface FillEngine {
  /** Sets the last number given out by a table that numbers its rows itself. */
  setCounter(db: Database, table: string, last: number): Promise<void>;
  /** The statements that make the indexes of these tables, by name; without those of constraints. */
  indexesOf(db: Database, tables: readonly string[]): Promise<{ name: string; make: string }[]>;
  /** The content of an open transaction. */
  snapshotOf(db: Database): Promise<Snapshot>;
}

export interface Filled {
  header: Header;
  trailer: Trailer;
}

export type OnRows = (table: string, rows: number) => void;

/**
 * The database first gets the schema of the content, then its rows, then the migrations that came later, then the text index.
 * @param db empty; may be a transaction
 * @throws TransferError when the content is damaged, or of a newer version, or the server does not suit
 */
export async function fillStore(
  db: Database,
  engine: FillEngine,
  parts: AsyncGenerator<Part>,
  onRows: OnRows = () => undefined
): Promise<Filled> {
  const first = await parts.next();
  if (first.done || first.value.type !== 'header') {
    throw new TransferError('damaged', 'It is empty.');
  }
  const { header } = first.value;
  await engineOf(db)
    .checkServer?.(db)
    .catch((error: Error) => {
      throw new TransferError('refused', error.message, error);
    });
  await migrate(db, lastMigration(header));
  const { trailer, expected } = await transacting(db, async (trx) => {
    const loaded = await withoutIndexes(trx, engine, () => insertAll(trx, parts, onRows));
    for (const [table, last] of Object.entries(loaded.trailer.counters)) {
      await engine.setCounter(trx, table, last);
    }
    return loaded;
  });
  const written = await transacting(db, async (trx) => sumsOf(await engine.snapshotOf(trx)));
  const difference = differenceOfAll(expected, written);
  if (difference !== undefined) {
    throw new TransferError('damaged', `The new store differs: ${difference}`);
  }
  // Rows above this mark are not in the text index, which is still empty.
  await db.updateTable('series').set({ last: 0 }).where('name', '=', 'indexed').execute();
  await migrate(db);
  await transacting(db, async (trx) => {
    while ((await indexText(trx, null)).result.more);
  });
  return { header, trailer };
}

/**
 * The last migration of the content.
 * @throws TransferError when this program does not know it
 */
function lastMigration({ migrations, bridge }: Header): string {
  const known = Object.keys(MIGRATIONS).sort();
  const last = migrations.at(-1)!;
  if (migrations[0] !== FIRST) {
    throw new TransferError('refused', `It was made by a development version before 0.1.0 (${last}).`);
  }
  if (last > known.at(-1)!) {
    throw new TransferError('refused', `It was made by a newer version, ${bridge} (${last}). Upgrade Nodebell first.`);
  }
  if (migrations.some((name, index) => name !== known[index])) {
    throw new TransferError('refused', `Its migrations are not of this program: ${migrations.join(', ')}.`);
  }
  return last;
}

const transacting = <T>(db: Database, work: (trx: Transacting) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db as Transacting) : db.transaction().execute(work);

/** An index is made faster from all rows at once. */
async function withoutIndexes<T>(trx: Transacting, engine: FillEngine, load: () => Promise<T>): Promise<T> {
  const tables = await contentTables(trx);
  const indexes = await engine.indexesOf(
    trx,
    tables.map(({ name }) => name)
  );
  for (const { name } of indexes) {
    await sql`drop index ${sql.ref(name)}`.execute(trx);
  }
  const loaded = await load();
  for (const { make } of indexes) {
    await sql.raw(make).execute(trx);
  }
  return loaded;
}

interface Loaded {
  trailer: Trailer;
  /** Counts and checksums of what was written. */
  expected: Trailer['tables'];
}

async function insertAll(trx: Transacting, parts: AsyncGenerator<Part>, onRows: OnRows): Promise<Loaded> {
  const tables = await contentTables(trx);
  const missing = new Set(tables.map(({ name }) => name));
  const sums = new Map<string, Sum>();
  const adapt = engineOf(trx).name === 'postgres' ? withoutNul(sums) : (_: string, row: Value[]) => row;
  let rows = 0;
  for await (const part of parts) {
    if (part.type === 'table') {
      rows = 0;
      missing.delete(part.table.name);
      sums.set(part.table.name, new Sum());
      await prepareTable(trx, part.table, tables);
    } else if (part.type === 'rows') {
      const { name } = part.table;
      const content = part.rows.map((row) => member(part.table, adapt(name, row)));
      await insertRows(trx, name as keyof Schema, content as never[]);
      rows += part.rows.length;
      onRows(name, rows);
    } else if (part.type === 'end') {
      if (missing.size > 0) {
        throw new TransferError('damaged', `It lacks the table ${[...missing].join(', ')}.`);
      }
      const written = Object.fromEntries([...sums].map(([name, sum]) => [name, sum.total()]));
      return { trailer: part.trailer, expected: engineOf(trx).name === 'postgres' ? written : part.trailer.tables };
    }
  }
  throw new TransferError('damaged', 'It has no end.');
}

/** Text in PostgreSQL cannot hold the character NUL: as in all writes of the bridge, U+FFFD takes its place. */
function withoutNul(sums: Map<string, Sum>): (table: string, row: Value[]) => Value[] {
  return (table, row) => {
    const stored = row.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value));
    sums.get(table)?.add(JSON.stringify(stored));
    return stored;
  };
}

/** A new store has some rows already: the numbers given out are zero. */
async function prepareTable(trx: Transacting, { name, columns }: TableShape, tables: TableShape[]): Promise<void> {
  const known = tables.find((table) => table.name === name);
  const wrong = known
    ? [
        ...columns.filter((column) => !known.columns.includes(column)),
        ...known.columns.filter((column) => !columns.includes(column)),
      ]
    : [name];
  if (known === undefined || wrong.length > 0) {
    throw new TransferError('damaged', `The table ${name} does not match its schema: ${wrong.join(', ')}.`);
  }
  await trx.deleteFrom(name as keyof Schema).execute();
}

const member = ({ columns }: TableShape, row: Value[]): Record<string, Value> =>
  Object.fromEntries(columns.map((column, index) => [column, row[index] as Value]));
