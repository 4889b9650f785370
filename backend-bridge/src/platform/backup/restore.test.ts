import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { textSearch } from '../storage/bulk.ts';
import { openDatabase } from '../database.ts';
import { FIRST } from '../storage/migrations/index.ts';
import { setMigration } from '../storage/migrations/second.testing.ts';
import { writeBackup } from './file.ts';
import type { Place } from './place.ts';
import { sqlitePlace } from './sqlite.ts';
import { notification, SAMPLE } from './sampleRows.testing.ts';
import { backUp, contentOf, makeStore, ORIGIN, restore, restoredContentOf, used } from './transferWorld.testing.ts';

describe('round trip', () => {
  test('every table of the schema is in a backup, and equal after a restore', async () => {
    const { place } = await used();
    const content = await contentOf(place);
    expect(Object.keys(content)).toEqual(Object.keys(SAMPLE).sort());
    expect(content).toMatchObject(SAMPLE);
    const target = sqlitePlace(path.join(temporaryFolder(), 'new'));
    const restored = await restore(target, await backUp(place));
    expect(restored).toMatchObject({ restored: true, kept: undefined, plan: { loss: { store: 'none' } } });
    expect(await restoredContentOf(target)).toEqual(content);
  });

  test('the text index finds what was restored, and numbers continue', async () => {
    const { place } = await used();
    await place.read(async (db) => expect(await db.selectFrom('readers').select('id').execute()).toHaveLength(2));
    const target = temporaryFolder();
    await restore(sqlitePlace(target), await backUp(place));
    const db = openDatabase(path.join(target, 'nodebell.db'));
    try {
      expect((await sql`select found_id from ${textSearch(['quoted'])} as found`.execute(db)).rows).toEqual([
        { found_id: 2 },
      ]);
      // A labelled one is indexed with more than is in its columns; its removal leaves nothing behind.
      await db.deleteFrom('notifications').where('label_set', '>', 0).execute();
      await sql`insert into notifications_text(notifications_text, rank) values ('integrity-check', 1)`.execute(db);
      await db.deleteFrom('readers').execute();
      const added = { key: 'new', first_ts: 1, last_ts: 1, watermark: 0 };
      expect(await db.insertInto('readers').values(added).returning('id').execute()).toEqual([{ id: 8 }]);
    } finally {
      await db.destroy();
    }
  });

  test('is readable only for its owner', async () => {
    const { place } = await used();
    const file = await backUp(place);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual(['b.jsonl.zst']);
  });
});

describe('what would be lost', () => {
  test('notifications that came after the backup, with their times', async () => {
    const { dir, place } = await used();
    const file = await backUp(place);
    await makeStore(dir, { notifications: [notification(5), notification(8), notification(9), notification(12)] });
    const { plan } = await restore(place, file, false);
    expect(plan?.loss).toEqual({
      store: 'readable',
      notifications: 4,
      later: 3,
      from: '2023-11-14T22:13:20.008Z',
      to: '2023-11-14T22:13:20.012Z',
    });
  });

  test('is nothing when nothing came', async () => {
    const { place } = await used();
    expect((await restore(place, await backUp(place), false)).plan?.loss).toEqual({
      store: 'readable',
      notifications: 3,
      later: 0,
    });
  });

  test('is unknown when the store is damaged, which is replaced and kept', async () => {
    const { dir, place } = await used();
    const [file, content] = [await backUp(place), await contentOf(place)];
    const damaged = Buffer.alloc(8192, 'x');
    writeFileSync(path.join(dir, 'nodebell.db'), damaged);
    writeFileSync(path.join(dir, 'nodebell.db-wal'), 'old');
    const { plan, kept } = await restore(place, file);
    expect(plan?.loss).toEqual({ store: 'unreadable' });
    expect([readFileSync(kept!), readFileSync(`${kept}-wal`, 'utf8')]).toEqual([damaged, 'old']);
    expect(await restoredContentOf(place)).toEqual(content);
  });
});

describe('a restore', () => {
  test('that is not approved changes nothing', async () => {
    const { dir, place } = await used();
    const before = readdirSync(dir);
    expect(await restore(place, await backUp(place), false)).toMatchObject({ restored: false });
    expect(readdirSync(dir).filter((name) => !/lock|-shm$|-wal$/.test(name))).toEqual(before);
  });

  test('keeps the old store', async () => {
    const { dir, place } = await used();
    const file = await backUp(place);
    await makeStore(dir, { notifications: [notification(9)] });
    const { kept } = await restore(place, file);
    expect(kept).toBe(path.join(dir, 'nodebell.db.before-restore-20261122T130500Z'));
    const old = openDatabase(kept!, { readonly: true });
    expect(await old.selectFrom('notifications').select('id').execute()).toEqual([{ id: 9 }]);
    await old.destroy();
    expect((await contentOf(place)).notifications).toHaveLength(3);
  });

  test('keeps the old store of each restore, also of two in one second', async () => {
    const { dir, place } = await used();
    const file = await backUp(place);
    await makeStore(dir, { notifications: [notification(9)] });
    const names = [
      (await restore(place, file)).kept,
      (await restore(place, file)).kept,
      (await restore(place, file)).kept,
    ];
    const name = path.join(dir, 'nodebell.db.before-restore-20261122T130500Z');
    expect(names).toEqual([name, `${name}-2`, `${name}-3`]);
    const old = openDatabase(name, { readonly: true });
    expect(await old.selectFrom('notifications').select('id').execute()).toEqual([{ id: 9 }]);
    await old.destroy();
  });

  test('is refused while a bridge holds the folder, or another program the file', async () => {
    const { place, dir } = await used();
    const file = await backUp(place);
    const lock = await place.lock();
    await expect(restore(place, file)).rejects.toMatchObject({
      failure: 'in_use',
      message: expect.stringMatching(/in use by another bridge/),
    });
    await lock.release();
    const other = openDatabase(path.join(dir, 'nodebell.db'), { readonly: true });
    await other.selectFrom('series').selectAll().execute();
    await expect(restore(place, file)).rejects.toMatchObject({
      failure: 'in_use',
      message: expect.stringMatching(/Another program has/),
    });
    await other.destroy();
    expect(readdirSync(dir).filter((name) => name.includes('rest'))).toEqual([]);
    expect(await restore(place, file)).toMatchObject({ restored: true });
  });

  test('is refused if the folder cannot be locked or made', async () => {
    const { place, dir } = await used();
    const file = await backUp(place);
    rmSync(path.join(dir, 'nodebell.lock'), { force: true });
    mkdirSync(path.join(dir, 'nodebell.lock'));
    await expect(restore(place, file)).rejects.toMatchObject({
      failure: 'refused',
      message: `The data folder ${dir} cannot be locked: unable to open database file`,
    });
    await expect(restore(sqlitePlace(path.join(file, 'new')), file)).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('ENOTDIR'),
    });
  });

  test('replaces what an interrupted one has left', async () => {
    const { dir, place } = await used();
    const [file, content] = [await backUp(place), await contentOf(place)];
    writeFileSync(path.join(dir, 'nodebell.db.restoring'), 'unfinished');
    await restore(place, file);
    expect(await restoredContentOf(place)).toEqual(content);
    expect(readdirSync(dir)).not.toContain('nodebell.db.restoring');
  });

  test('is recorded, and sends nothing that waited', async () => {
    const { place } = await used();
    const [row] = SAMPLE.outbox;
    const outbox = (['waiting', 'held', 'sent'] as const).map((state, index) => ({
      ...row!,
      id: index + 1,
      state,
      done_ts: state === 'sent' ? 4 : null,
    }));
    const source = temporaryFolder();
    await makeStore(source, { ...SAMPLE, outbox });
    const file = await backUp(sqlitePlace(source));
    await restore(place, file);
    const content = await contentOf(place);
    expect(content.audit!.at(-1)).toMatchObject({
      actor_kind: 'cli',
      actor: 'anna',
      action: 'database.restore',
      object: 'b.jsonl.zst',
      before: expect.stringContaining('"notifications":3'),
      after: expect.stringContaining(`"createdAt":"${ORIGIN.createdAt}"`),
    });
    expect(content.outbox!.map(({ state, reason }) => [state, reason])).toEqual([
      ['undelivered', 'Restored from a backup.'],
      ['undelivered', 'Restored from a backup.'],
      ['sent', row!.reason],
    ]);
  });

  test('has all indexes of a new store', async () => {
    const { place } = await used();
    const indexes = (where: Place) =>
      where.read(
        async (db) =>
          (await sql`select name, sql from sqlite_master where type = 'index' order by name`.execute(db)).rows
      );
    const before = await indexes(place);
    await restore(place, await backUp(place));
    expect(before.length).toBeGreaterThan(10);
    expect(await indexes(place)).toEqual(before);
  });

  test('migrates a backup of an older version', async () => {
    const { place } = await used();
    const file = await backUp(place);
    setMigration();
    await restore(place, file);
    const { notifications } = await contentOf(place);
    expect(notifications).toMatchObject(SAMPLE.notifications.map((row) => ({ ...row, test: 'default' })));
  });

  test.each([
    [[FIRST, '9999_later'], /newer version/],
    [[FIRST, '0000_other'], /not of this program/],
    [['0001_baseline', '0016_via'], /development version before 0\.1\.0 \(0016_via\)/],
  ])('refuses a backup with the migrations %j', async (migrations, message) => {
    const { place } = await used();
    const content = await contentOf(place);
    const file = path.join(temporaryFolder(), 'b.jsonl.zst');
    await place.snapshot((snapshot) => writeBackup(file, { ...snapshot, migrations }, ORIGIN));
    await expect(restore(place, file)).rejects.toMatchObject({ failure: 'refused', message });
    expect(await contentOf(place)).toEqual(content);
  });
});

describe('a damaged backup', () => {
  test('replaces nothing', async () => {
    const { dir, place } = await used();
    const [file, content] = [await backUp(place), await contentOf(place)];
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    await expect(restore(place, file)).rejects.toThrow('truncated');
    expect(await contentOf(place)).toEqual(content);
    expect(readdirSync(dir).filter((name) => name.includes('restor'))).toEqual([]);
  });

  test('is refused when it lacks a table, however right its checksums are', async () => {
    const { place } = await used();
    const file = path.join(temporaryFolder(), 'b.jsonl.zst');
    await place.snapshot((snapshot) =>
      writeBackup(file, { ...snapshot, tables: snapshot.tables.filter(({ name }) => name !== 'threads') }, ORIGIN)
    );
    await expect(restore(place, file)).rejects.toThrow('It lacks the table threads.');
  });
});
