/** Lists for PostgreSQL: `copy`, or an array for each column, so the statement's text never changes. Members of `Engine`. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Database, type Engine, type Listed, numberOf, type Transacting } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { copyLines, type Value } from './batch.ts';
import { Pipelined } from './pool.ts';

/** Through kysely, which runs one query of a transaction at a time. */
const pipeline = (db: Database, statements: Pipelined): Promise<{ rows: unknown[] }> =>
  db.executeQuery(CompiledQuery.raw('', [statements]));

export const together: Engine['together'] = async (db, queries) =>
  (await pipeline(db, new Pipelined(queries))).rows as unknown[][];

export const defer: Engine['defer'] = async (trx, query) =>
  void (await pipeline(trx, new Pipelined([query], 'deferred')));

/** Rows that the server shall insert while the transaction goes on: for fewer, one more message costs more than it gains. */
const MANY_ROWS = 16;

const deferRows = async (trx: Transacting, statement: Pipelined['statements'][number], rows: number): Promise<void> =>
  void (await pipeline(trx, new Pipelined([statement], rows >= MANY_ROWS ? 'early' : 'deferred')));

/** The type of each column, by table: read once, since a row that holds only null has none. */
const types = new Map<string, ReadonlyMap<string, string>>();

async function typesOf(db: Database, table: string, columns: readonly string[]): Promise<readonly string[]> {
  let known = types.get(table);
  if (!columns.every((column) => known?.has(column))) {
    const { rows } = await sql<{ name: string; type: string }>`
      select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`.execute(
      db
    );
    known = new Map(rows.map(({ name, type }) => [name, type]));
    types.set(table, known);
  }
  return columns.map((column) => known?.get(column) ?? 'text');
}

/** One statement for all rows, with one array for each column. @param onConflict SQL, or empty */
export async function insertRows<T extends keyof Schema>(
  trx: Transacting,
  table: T,
  rows: Schema[T][],
  onConflict: string
): Promise<void> {
  const columns = Object.keys(rows[0]!) as (keyof Schema[T] & string)[];
  if (onConflict === '') {
    const values = rows.map((row) => columns.map((column) => row[column] as Value));
    const statement = {
      sql: `copy ${table} (${columns.join(', ')}) from stdin`,
      parameters: [],
      copied: copyLines(values),
    };
    return deferRows(trx, statement, rows.length);
  }
  const places = (await typesOf(trx, table, columns)).map((type, index) => `$${index + 1}::${type}[]`);
  const statement = CompiledQuery.raw(
    `insert into ${table} (${columns.join(', ')}) select * from unnest(${places.join(', ')}) ${onConflict}`,
    columns.map((column) => rows.map((row) => row[column]))
  );
  await deferRows(trx, statement, rows.length);
}

const typeOf = (value: Listed | undefined): RawBuilder<unknown> =>
  sql.raw(typeof value === 'string' ? 'text[]' : 'bigint[]');

/** Rows as one array for each column. */
const arraysOf = (rows: readonly (readonly Listed[])[], columns: readonly string[]): RawBuilder<unknown> =>
  sql`unnest(${sql.join(columns.map((_, index) => sql`${rows.map((row) => row[index])}::${typeOf(rows[0]?.[index])}`))})`;

export const inList: Engine['inList'] = (column, list) =>
  list.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${column} = any(${[...list]}::${typeOf(list[0])})`;

export const inRows: Engine['inRows'] = (columns, rows) =>
  rows.length === 0
    ? sql<boolean>`1 = 0`
    : sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) in (select * from ${arraysOf(rows, columns)})`;

export const eachRow: Engine['eachRow'] = (alias, columns, rows) => {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  return sql`(select ordinality - 1 as place, ${names}
    from ${arraysOf(rows, columns)} with ordinality as listed (${names}, ordinality)) as ${sql.ref(alias)}`;
};

/** Size of the whole database, with indexes and free space. */
export const databaseBytes: Engine['databaseBytes'] = (db) =>
  numberOf(db, sql`select pg_database_size(current_database()) as n`);

/** Autovacuum reuses the space of what was deleted. */
export const releasePages = (): Promise<number> => Promise.resolve(0);
