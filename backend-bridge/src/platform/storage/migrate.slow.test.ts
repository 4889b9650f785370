import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databasePath } from './sqlite/database.ts';
import { migrate, openDatabase } from '../database.ts';
import { BASELINE } from './sqlite/migrations/0001_baseline.ts';
import { writeEarlier } from './sqlite/migrations/earlier.testing.ts';
import { MIGRATIONS } from './sqlite/migrations/index.ts';
import { setCategory } from '../../inbox/categories/writes.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { WRITES } from '../../writes.ts';
import { createWriteQueue } from './writeQueue.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-migrate-'));
  file = databasePath(path.join(directory, 'data'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const NAMES = Object.keys(MIGRATIONS);

async function migrateFile(): Promise<void> {
  const db = openDatabase(file);
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

function raw<T>(use: (sqlite: SqliteDatabase.Database) => T): T {
  const sqlite = new SqliteDatabase(file);
  try {
    return use(sqlite);
  } finally {
    sqlite.close();
  }
}

interface Column {
  name: string;
  notnull: number;
  type: string;
}
/** Tables that hold what the bridge keeps; the search index and the list of migrations are kept by others. */
function tables(sqlite: SqliteDatabase.Database): string[] {
  const rows = sqlite
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'migrations%' and name not like 'notifications_text%' order by name"
    )
    .all() as Array<{ name: string }>;
  return rows.map(({ name }) => name);
}

/** One row in every table, with a value of its own in every column. */
function fill(sqlite: SqliteDatabase.Database): Record<string, unknown[]> {
  const filled: Record<string, unknown[]> = {};
  tables(sqlite).forEach((table, at) => {
    if (table !== 'series') {
      const columns = sqlite
        .prepare(`select name, "notnull", type from pragma_table_info('${table}')`)
        .all() as Column[];
      const values = columns.map(({ type }, index) =>
        type.toLowerCase() === 'integer' ? 100 * (at + 1) + index : `${table} ${index}`
      );
      sqlite
        .prepare(
          `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) values (${columns.map(() => '?').join(', ')})`
        )
        .run(values);
    }
    filled[table] = sqlite.prepare(`select * from ${table}`).all();
  });
  return filled;
}

const contents = (sqlite: SqliteDatabase.Database): Record<string, unknown[]> =>
  Object.fromEntries(tables(sqlite).map((table) => [table, sqlite.prepare(`select * from ${table}`).all()]));

describe('migrations', () => {
  it('are numbered one after another', () => {
    expect(NAMES.map((name) => Number(/^(\d{4})_[a-z0-9_]+$/.exec(name)![1]))).toEqual(
      NAMES.map((_, index) => index + 1)
    );
  });

  it('change nothing the second time', async () => {
    await migrateFile();
    const held = raw(fill);
    await migrateFile();
    expect(raw(contents)).toEqual(held);
  });

  it.each([BASELINE.at(-1)!, 'insert into "migrations" '])(
    'a first start is repeated when it fails at %s',
    async (at) => {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the database below
      const { prepare } = SqliteDatabase.prototype;
      const spy = vi.spyOn(SqliteDatabase.prototype, 'prepare').mockImplementation(function (
        this: SqliteDatabase.Database,
        source
      ) {
        if (source.startsWith(at)) {
          throw new Error('interrupted');
        }
        return prepare.call(this, source);
      });
      await expect(migrateFile()).rejects.toThrow('interrupted');
      spy.mockRestore();
      expect(raw(tables)).toEqual([]);
      await migrateFile();
      expect(raw(recorded)).toEqual(NAMES);
    }
  );
});

/** Without spaces and line ends, which `alter table` writes in its own way. */
const schema = (sqlite: SqliteDatabase.Database) =>
  sqlite
    .prepare<[], { sql: string | null }>(
      "select type, name, sql from sqlite_master where name not like 'migrations%' order by type, name"
    )
    .all()
    .map((row) => ({ ...row, sql: row.sql?.replace(/\s+/g, '') }));
const recorded = (sqlite: SqliteDatabase.Database) => sqlite.prepare('select name from migrations').pluck().all();

it('0002: categories that differ by case become one', async () => {
  const queue = await createWriteQueue({ path: file, writes: WRITES });
  const payloads = ['Ethereum', 'ethereum', 'Ñandú', 'ETHEREUM', 'other'].map((category, at) => ({
    payload: { title: 'T', body: 'B', category, dnpName: 'geth.eth', correlationId: `${at % 4}` },
    source: 'api' as const,
  }));
  await queue.submit(receive, { incoming: payloads, now: 5 });
  for (const [now, category, enabled] of [
    [2, 'ETHEREUM', true],
    [3, 'Ethereum', false],
    [1, 'ethereum', true],
  ] as const) {
    await queue.submit(setCategory, { category, enabled, by: null, now });
  }
  await queue.close();
  // A current database, because later migrations have created tables.
  const db = openDatabase(file);
  await db.transaction().execute((trx) => MIGRATIONS['0002_category_case']!.up(trx));
  await db.destroy();
  const read = (statement: string) => raw((sqlite) => sqlite.prepare(statement).raw().all());
  expect(read('select category, count(*) from notifications group by 1')).toEqual([
    ['ethereum', 3],
    ['other', 1],
    ['ñandú', 1],
  ]);
  for (const [scope, table] of ['notifications', 'threads'].entries()) {
    expect(
      read(`select category, sum(n) from counts where scope = ${scope} and span = 1 and n > 0 group by 1`)
    ).toEqual(read(`select category, count(*) from ${table} group by 1`));
  }
  expect(read('select category, enabled, ts from categories')).toEqual([['ethereum', 0, 3]]);
});

describe('a database of a version before the baseline', () => {
  it('0009: has the schema of a new one, and keeps all its data', async () => {
    writeEarlier(file, '0009');
    const held = raw(contents);
    expect(Object.entries(held).flatMap(([table, rows]) => (rows.length > 0 ? [table] : []))).toEqual(
      expect.arrayContaining(['arrivals', 'notifications', 'readers', 'sender_tokens', 'thread_members', 'trash'])
    );
    await migrateFile();
    const { series, ...others } = held;
    expect(raw(contents)).toMatchObject(others);
    expect(raw(contents)['series']).toEqual(expect.arrayContaining(series!));
    const migrated = raw(schema);
    expect(raw(recorded)).toEqual(NAMES);
    await rm(file);
    await migrateFile();
    expect([raw(recorded), raw(schema)]).toEqual([NAMES, migrated]);
  });

  it('0008: gets the schema of a new one, and keeps all its data', async () => {
    writeEarlier(file, '0008');
    const { unread_trash: _, series, unread, readers, ...held } = raw(contents);
    await migrateFile();
    const after = raw(contents);
    expect(after).toMatchObject(held);
    expect(after.series).toEqual(expect.arrayContaining([{ name: 'arrivals', last: 0 }, ...series!]));
    expect(after.unread).toEqual(expect.arrayContaining(unread!));
    expect(after.readers).toMatchObject(readers!);
    expect(raw((sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');
    expect(raw(recorded)).toEqual(NAMES);
    const migrated = raw(schema);
    await rm(file);
    await migrateFile();
    expect(migrated).toEqual(raw(schema));
  });

  it('is not changed when the migration fails', async () => {
    writeEarlier(file, '0008');
    // The migration makes this table.
    raw((sqlite) => sqlite.exec('create table deletions (something text)'));
    const held = raw(contents);
    const names = raw(recorded);
    await expect(migrateFile()).rejects.toThrow('deletions');
    expect([raw(contents), raw(recorded)]).toEqual([held, names]);
  });

  it('is rejected with what to do if it is too old, and not changed', async () => {
    writeEarlier(file, '0008');
    raw((sqlite) => sqlite.exec("delete from migrations where name = '0008_receipt_age'"));
    const held = raw(contents);
    await expect(createWriteQueue({ path: file, writes: WRITES })).rejects.toThrow(
      /^The database cannot be used: It was written by a development version that is too old \(0007_readers; supported are 0008_receipt_age and 0009_scale\)\. Restore a newer copy/
    );
    expect(raw(contents)).toEqual(held);
  });
});

describe('a database that is newer than the program', () => {
  it('is rejected with what to do, and not changed', async () => {
    await migrateFile();
    raw((sqlite) =>
      sqlite.prepare("insert into migrations (name, timestamp) values ('9999_from_the_future', '2030-01-01')").run()
    );
    const held = raw(contents);
    await expect(createWriteQueue({ path: file, writes: WRITES })).rejects.toThrow(
      /^The database cannot be used: It was changed by a newer version of the bridge \(9999_from_the_future\). Start that version/
    );
    expect(raw(contents)).toEqual(held);
  });
});

describe('a file that is not a database', () => {
  it('is rejected', async () => {
    await writeFile(
      file,
      'This is a text of more than a hundred bytes, which is not how a database begins. '.repeat(20)
    );
    await expect(createWriteQueue({ path: file, writes: WRITES })).rejects.toThrow(/not a database/);
  });
});

describe('pragmas', () => {
  const pragma = async (readonly: boolean, name: string): Promise<unknown> => {
    const db = openDatabase(file, { readonly });
    const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db);
    await db.destroy();
    return Object.values(rows[0]!)[0];
  };
  it('the writer: a commit is on disk when it returns', async () => {
    await migrateFile();
    expect(await pragma(false, 'journal_mode')).toBe('wal');
    // 2 is FULL.
    expect(await pragma(false, 'synchronous')).toBe(2);
  });
  it('readers cannot write', async () => {
    await migrateFile();
    const db = openDatabase(file, { readonly: true });
    await expect(db.insertInto('categories').values({ category: 'a', enabled: 1, ts: 1 }).execute()).rejects.toThrow(
      'readonly'
    );
    await db.destroy();
    expect(await pragma(true, 'journal_mode')).toBe('wal');
  });
  it('the directory, the database and its log are accessible to their owner only', async () => {
    const db = openDatabase(file);
    await migrate(db);
    const paths = [path.dirname(file), file, `${file}-wal`];
    const modes = await Promise.all(paths.map(async (one) => (await stat(one)).mode & 0o777));
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    await db.destroy();
  });
});
