/** Both engines have the same tables, columns and indexes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testAddress } from '../address.testing.ts';
import { migrate, openDatabase } from '../../database.ts';
import type { Database } from '../engine.ts';
import { databasePath } from '../sqlite/database.ts';
import { MIGRATIONS } from '../sqlite/migrations/index.ts';
import { MIGRATIONS as OF_POSTGRES } from './migrations/index.ts';

/** The first migration that both engines have, after the baseline of PostgreSQL, which includes the earlier ones. */
const FIRST_OF_BOTH = '0003';

let directory: string;
let sqlite: Database;
let postgres: Database;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-parity-'));
  sqlite = openDatabase(databasePath(directory));
  postgres = openDatabase(await testAddress(directory));
  await migrate(sqlite);
  await migrate(postgres);
});
afterEach(async () => {
  await sqlite.destroy();
  await postgres.destroy();
  await rm(directory, { recursive: true, force: true });
});

interface Column {
  name: string;
  type: string;
  required: number;
}

/** The types of PostgreSQL as SQLite names them. */
const TYPES: Record<string, string> = {
  bigint: 'integer',
  smallint: 'integer',
  'double precision': 'real',
  text: 'text',
};

async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await (
    db === sqlite
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{
          name: string;
        }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  ).execute(db);
  // The search index is another in each.
  return rows
    .map(({ name }) => name)
    .filter((name) => !/^(migrations|notifications_text)/.test(name))
    .sort();
}

async function columnsOf(db: Database, table: string): Promise<Column[]> {
  const { rows } = await (
    db === sqlite
      ? sql<Column>`select name, lower(type) as type, max("notnull", pk > 0) as required from pragma_table_info(${table})`
      : sql<Column>`select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required
          from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`
  ).execute(db);
  return rows.map(({ name, type, required }) => ({ name, type: TYPES[type] ?? type, required }));
}

/** A primary key, or a unique or other index, as its columns and its condition. */
async function indexesOf(db: Database, table: string): Promise<string[]> {
  const { rows } = await (
    db === sqlite
      ? sql<{ columns: string; condition: string | null; required: number }>`
          select (select group_concat(name) from (select name from pragma_index_info(l.name) order by seqno)) as columns,
            (select substr(sql, instr(sql, ' where ') + 7) from sqlite_master m where m.name = l.name and sql like '% where %') as condition,
            l."unique" as required
          from pragma_index_list(${table}) l
          union all select group_concat(name), null, 1 from (select name from pragma_table_info(${table}) where pk > 0 order by pk)`
      : sql<{ columns: string; condition: string | null; required: number }>`
          select (select string_agg(pg_get_indexdef(i.indexrelid, place, true), ',' order by place)
              from generate_series(1, i.indnkeyatts) place) as columns,
            pg_get_expr(i.indpred, i.indrelid) as condition, i.indisunique as required
          from pg_index i where i.indrelid = ${table}::regclass`
  ).execute(db);
  const plain = (condition: string | null): string => condition?.replaceAll(/[()]|::text/g, '').toLowerCase() ?? '';
  const all = rows.flatMap(({ columns, condition, required }) =>
    columns === null ? [] : [`${required ? 'unique ' : ''}${columns} ${plain(condition)}`.trim()]
  );
  return [...new Set(all)].sort();
}

it('the same tables', async () => {
  expect(await tablesOf(postgres)).toEqual(await tablesOf(sqlite));
  expect((await tablesOf(sqlite)).length).toBeGreaterThan(20);
});

it('the same columns, in the same order, with the same types, required where the others are', async () => {
  for (const table of await tablesOf(sqlite)) {
    expect({ table, columns: await columnsOf(postgres, table) }).toEqual({
      table,
      columns: await columnsOf(sqlite, table),
    });
  }
});

it('the same keys and indexes, with the same conditions', async () => {
  for (const table of await tablesOf(sqlite)) {
    expect({ table, indexes: await indexesOf(postgres, table) }).toEqual({
      table,
      indexes: await indexesOf(sqlite, table),
    });
  }
});

it('each new migration exists for both', () => {
  const later = (all: object): string[] => Object.keys(all).filter((name) => name > FIRST_OF_BOTH);
  expect(later(OF_POSTGRES)).toEqual(later(MIGRATIONS));
});

it('a database that is migrated is left as it is', async () => {
  const before = await columnsOf(postgres, 'notifications');
  await migrate(postgres);
  expect(await columnsOf(postgres, 'notifications')).toEqual(before);
});
