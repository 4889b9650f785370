import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databasePath, migrate, openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { WRITES } from '../writes.ts';
import { createWriteQueue } from './writeQueue.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-migrate-'));
  file = databasePath(path.join(directory, 'data'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const NAMES = Object.keys(MIGRATIONS);

async function migrateTo(name?: string): Promise<void> {
  const db = openDatabase(file);
  try {
    await migrate(db, name);
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

/** What a migration makes of what is held, where it means to change it. */
const CHANGES: Record<string, (held: Record<string, unknown[]>) => Record<string, unknown[]>> = {
  // Of what was unread and deleted, only what is in the trash is kept (scaleMigration.test.ts).
  '0009_scale': ({ unread_trash: _, series, ...held }) => ({
    ...held,
    series: [{ name: 'arrivals', last: 0 }, ...(series ?? [])],
  }),
};

const contents = (sqlite: SqliteDatabase.Database): Record<string, unknown[]> =>
  Object.fromEntries(tables(sqlite).map((table) => [table, sqlite.prepare(`select * from ${table}`).all()]));

describe('migrations', () => {
  it('are numbered one after another', () => {
    expect(NAMES.map((name) => Number(/^(\d{4})_[a-z0-9_]+$/.exec(name)![1]))).toEqual(
      NAMES.map((_, index) => index + 1)
    );
  });

  it.each(NAMES.slice(1).map((name, index) => [name, NAMES[index]!] as const))(
    '%s: applied to a database of %s that holds data',
    async (name, before) => {
      await migrateTo(before);
      const held = raw(fill);
      expect(Object.keys(held).length).toBeGreaterThan(5);
      await migrateTo(name);
      const after = raw(contents);
      expect(after).toMatchObject(CHANGES[name]?.(held) ?? held);
      expect(raw((sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');
      expect(raw((sqlite) => sqlite.prepare('select name from migrations order by name').all())).toEqual(
        NAMES.slice(0, NAMES.indexOf(name) + 1).map((one) => ({ name: one }))
      );
    }
  );

  it('step by step make what they make at once', async () => {
    const schema = (sqlite: SqliteDatabase.Database) =>
      sqlite
        .prepare("select type, name, sql from sqlite_master where name not like 'migrations%' order by type, name")
        .all();
    for (const name of NAMES) {
      await migrateTo(name);
    }
    const stepwise = raw(schema);
    await rm(file);
    await migrateTo();
    expect(raw(schema)).toEqual(stepwise);
  });

  it('change nothing the second time', async () => {
    await migrateTo();
    const held = raw(fill);
    await migrateTo();
    expect(raw(contents)).toEqual(held);
  });

  it('one that fails leaves the database as it was', async () => {
    await migrateTo(NAMES[0]);
    const held = raw(fill);
    // The next migration makes this table.
    raw((sqlite) => sqlite.exec('create table sender_tokens (something text)'));
    await expect(migrateTo()).rejects.toThrow('sender_tokens');
    expect(raw(contents)).toEqual({ ...held, sender_tokens: [] });
    expect(raw((sqlite) => sqlite.prepare('select name from migrations').all())).toEqual([{ name: NAMES[0] }]);
  });
});

describe('a database that is newer than the program', () => {
  it('is refused, with a message that says what to do, and left as it is', async () => {
    await migrateTo();
    raw((sqlite) =>
      sqlite.prepare("insert into migrations (name, timestamp) values ('9999_from_the_future', '2030-01-01')").run()
    );
    const held = raw(contents);
    await expect(createWriteQueue({ path: file, writes: WRITES })).rejects.toThrow(
      /^The database cannot be used: A newer version of the bridge has changed it \(9999_from_the_future\). Start that version/
    );
    expect(raw(contents)).toEqual(held);
  });
});

describe('what is no database', () => {
  it('is refused', async () => {
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
    await migrateTo();
    expect(await pragma(false, 'journal_mode')).toBe('wal');
    // 2 is FULL.
    expect(await pragma(false, 'synchronous')).toBe(2);
  });
  it('readers cannot write', async () => {
    await migrateTo();
    const db = openDatabase(file, { readonly: true });
    await expect(db.insertInto('categories').values({ category: 'a', enabled: 1, ts: 1 }).execute()).rejects.toThrow(
      'readonly'
    );
    await db.destroy();
    expect(await pragma(true, 'journal_mode')).toBe('wal');
  });
  it('the directory is its owner’s alone', async () => {
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  });
});
