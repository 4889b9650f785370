import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { backUp, contentOf, restore, restoredContentOf, used } from './transferWorld.testing.ts';

/** Leaves the store as a process does that was killed while it changed the journal mode: a change is half-way in the file. */
function leaveJournal(dir: string): void {
  const file = path.join(dir, 'nodebell.db');
  const sqlite = new SqliteDatabase(file);
  sqlite.pragma('journal_mode = delete');
  sqlite.pragma('cache_size = 1');
  sqlite.exec(`begin; with recursive rows(i) as (select 1 union all select i + 1 from rows where i < 5000)
    insert into series (name, last) select 'half-way ' || i, i from rows`);
  const left = [file, `${file}-journal`].map((name) => [name, readFileSync(name)] as const);
  expect(left[1]![1].length).toBeGreaterThan(1000);
  sqlite.exec('rollback');
  sqlite.close();
  left.forEach(([name, bytes]) => writeFileSync(name, bytes));
}

describe('a store whose last change was interrupted', () => {
  test('is read without that change', async () => {
    const { dir, place } = await used();
    const content = await contentOf(place);
    leaveJournal(dir);
    expect(await contentOf(place)).toEqual(content);
  });

  test('is known, replaced and kept', async () => {
    const { dir, place } = await used();
    const [file, content] = [await backUp(place), await contentOf(place)];
    leaveJournal(dir);
    const { plan, kept } = await restore(place, file);
    expect(plan?.loss).toMatchObject({ store: 'readable', later: 0 });
    const old = openDatabase(kept!, { readonly: true });
    expect(await old.selectFrom('series').select('name').where('name', 'like', 'half-way%').execute()).toEqual([]);
    await old.destroy();
    expect(await restoredContentOf(place)).toEqual(content);
  });

  test('does not change the new one when its file is missing', async () => {
    const { dir, place } = await used();
    const [file, content] = [await backUp(place), await contentOf(place)];
    leaveJournal(dir);
    rmSync(path.join(dir, 'nodebell.db'));
    const journal = readFileSync(path.join(dir, 'nodebell.db-journal'));
    await restore(place, file);
    expect(await restoredContentOf(place)).toEqual(content);
    const kept = readdirSync(dir).filter((name) => name.endsWith('-journal'));
    expect(kept).toEqual([expect.stringContaining('before-restore')]);
    expect(readFileSync(path.join(dir, kept[0]!))).toEqual(journal);
  });
});
