import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../folder.testing.ts';
import { WRITES } from '../../../writes.ts';
import { migrate, openDatabase } from '../../database.ts';
import { WriteQueue } from '../writeQueue.ts';
import { databasePath } from './database.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = temporaryFolder();
  file = databasePath(path.join(directory, 'data'));
});

async function migrateFile(): Promise<void> {
  const db = openDatabase(file);
  await migrate(db);
  await db.destroy();
}

describe('a file that is not a database', () => {
  it('is rejected', async () => {
    await writeFile(
      file,
      'This is a text of more than a hundred bytes, which is not how a database begins. '.repeat(20)
    );
    await expect(WriteQueue.open({ path: file, writes: WRITES })).rejects.toThrow(/not a database/);
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
