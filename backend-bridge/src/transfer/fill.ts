/** Fills an empty database with a store in portable form, and verifies what it then contains. */
import { insertRows } from '../storage/bulk.ts';
import { migrate } from '../storage/database.ts';
import { type Database, engineOf, type Transacting } from '../storage/engine.ts';
import type { Schema } from '../storage/schema.ts';
import { indexText } from '../storage/textIndex.ts';
import { TransferError } from './errors.ts';
import { differenceOfAll, type Header, type Part, sumsOf, type Trailer } from './format.ts';
import { contentTables, type Snapshot, type TableShape, type Value } from './snapshot.ts';

/** What the engines do differently. */
export interface FillEngine {
  /** Sets the last number given out by a table that numbers its rows itself. */
  setCounter(db: Database, table: string, last: number): Promise<void>;
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
 * @throws TransferError when the content is damaged, or of a newer version
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
  knownMigrations(db, header);
  await migrate(db, header.migrations.at(-1));
  const trailer = await transacting(db, async (trx) => {
    const loaded = await insertAll(trx, parts, onRows);
    for (const [table, last] of Object.entries(loaded.counters)) {
      await engine.setCounter(trx, table, last);
    }
    return loaded;
  });
  const written = await transacting(db, async (trx) => sumsOf(await engine.snapshotOf(trx)));
  const difference = differenceOfAll(trailer.tables, written);
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

/** @throws TransferError unless they are those of this program, to the last or an earlier one */
function knownMigrations(db: Database, { migrations, bridge }: Header): void {
  const known = Object.keys(engineOf(db).migrations).sort();
  const newer = migrations.filter((name) => !known.includes(name));
  if (newer.length > 0) {
    throw new TransferError(
      'refused',
      `It was made by a newer version, ${bridge} (${newer.join(', ')}). Upgrade Nodebell first.`
    );
  }
  if (migrations.some((name, index) => name !== known[index])) {
    throw new TransferError('refused', `Its migrations are not of this program: ${migrations.join(', ')}.`);
  }
}

const transacting = <T>(db: Database, work: (trx: Transacting) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db as Transacting) : db.transaction().execute(work);

async function insertAll(trx: Transacting, parts: AsyncGenerator<Part>, onRows: OnRows): Promise<Trailer> {
  const tables = await contentTables(trx);
  const missing = new Set(tables.map(({ name }) => name));
  let rows = 0;
  for await (const part of parts) {
    if (part.type === 'table') {
      rows = 0;
      missing.delete(part.table.name);
      await prepareTable(trx, part.table, tables);
    } else if (part.type === 'rows') {
      await insertRows(
        trx,
        part.table.name as keyof Schema,
        part.rows.map((row) => member(part.table, row)) as never[]
      );
      rows += part.rows.length;
      onRows(part.table.name, rows);
    } else if (part.type === 'end') {
      if (missing.size > 0) {
        throw new TransferError('damaged', `It lacks the table ${[...missing].join(', ')}.`);
      }
      return part.trailer;
    }
  }
  throw new TransferError('damaged', 'It has no end.');
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
