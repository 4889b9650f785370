import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { testAddress } from '../storage/address.testing.ts';
import { textSearch } from '../storage/bulk.ts';
import { openDatabase } from '../database.ts';
import { setMigration } from '../storage/migrations/second.testing.ts';
import { migrateStore } from './migrate.ts';
import type { Place } from './place.ts';
import { postgresPlace } from './postgres.ts';
import { sqlitePlace } from './sqlite.ts';
import { notification, SAMPLE } from './sampleRows.testing.ts';
import { backUp, contentOf, makeStore, makeStoreAt, restore, restoredContentOf } from './transferWorld.testing.ts';

const newDatabase = (): Promise<string> => testAddress(temporaryFolder());

async function used(rows?: Parameters<typeof makeStoreAt>[1]): Promise<{ url: string; place: Place }> {
  const url = await newDatabase();
  await makeStoreAt(url, rows);
  return { url, place: postgresPlace(url) };
}

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

test('a backup has every table, in the order of its key, and is equal after a restore', async () => {
  const { url: source, place } = await used();
  await ask(source, "select setval(pg_get_serial_sequence('readers', 'id'), 7)");
  const content = await contentOf(place);
  const indexes = 'select indexname, indexdef from pg_indexes where schemaname = current_schema() order by 1';
  expect(Object.keys(content)).toEqual(Object.keys(SAMPLE).sort());
  expect(content).toMatchObject(SAMPLE);
  const url = await newDatabase();
  const target = postgresPlace(url);
  const file = await backUp(place);
  expect(await restore(target, file)).toMatchObject({ restored: true, plan: { loss: { store: 'none' } } });
  expect(await restoredContentOf(target)).toEqual(content);
  expect(await ask(url, indexes)).toEqual(await ask(source, indexes));
  const db = openDatabase(url);
  try {
    expect((await sql`select found_id from ${textSearch(['quoted'])} as found`.execute(db)).rows).toEqual([
      { found_id: 2 },
    ]);
    const added = { key: 'new', first_ts: 1, last_ts: 1, watermark: 0 };
    expect(await db.insertInto('readers').values(added).returning('id').execute()).toEqual([{ id: 8 }]);
  } finally {
    await db.destroy();
  }
  // Over what is there: the trigger and its function too.
  expect(await restore(target, file)).toMatchObject({
    plan: { loss: { store: 'readable', notifications: 3, later: 0 } },
  });
  expect(await restoredContentOf(target)).toEqual(content);
});

test('a database that cannot hold every text is refused, and stays empty', async () => {
  const url = new URL(await newDatabase());
  await ask(url.href, `create database latin_target encoding 'LATIN1' locale 'C' template template0`);
  const target = postgresPlace(Object.assign(url, { pathname: '/latin_target' }).href);
  await expect(restore(target, await backUp((await used()).place))).rejects.toMatchObject({
    failure: 'refused',
    message: expect.stringContaining('The encoding of the database is LATIN1'),
  });
  expect(await target.exists()).toBe(false);
});

test('a migration goes from SQLite to PostgreSQL and back', async () => {
  const [first, last] = [temporaryFolder(), temporaryFolder()];
  await makeStore(first);
  const middle = postgresPlace(await newDatabase());
  const there = await migrateStore(sqlitePlace(first), middle, { bridge: '1.2.3' });
  const back = await migrateStore(middle, sqlitePlace(last), { bridge: '1.2.3' });
  const content = await contentOf(sqlitePlace(first));
  expect([await contentOf(middle), await contentOf(sqlitePlace(last))]).toEqual([content, content]);
  expect(back.trailer.tables).toEqual(there.trailer.tables);
  await expect(migrateStore(sqlitePlace(first), middle, { bridge: '1.2.3' })).rejects.toThrow('in use already');
});

test('U+FFFD takes the place of the character NUL', async () => {
  const dir = temporaryFolder();
  await makeStore(dir, { notifications: [notification(1, { body: 'a\0b' })] });
  const target = postgresPlace(await newDatabase());
  await migrateStore(sqlitePlace(dir), target, { bridge: '1.2.3' });
  expect((await contentOf(target)).notifications).toMatchObject([{ body: 'a\ufffdb' }]);
});

test('tables of others are neither backed up nor dropped', async () => {
  const { url, place } = await used();
  await ask(url, 'create table other (id int generated always as identity primary key)');
  await ask(url, 'insert into other default values');
  const file = await backUp(place);
  expect(Object.keys(await contentOf(place))).not.toContain('other');
  await restore(place, file);
  expect(await ask(url, 'select id from other')).toEqual([{ id: 1 }]);
});

describe('a restore', () => {
  test('is refused while anybody is connected, also through another name', async () => {
    const { url, place } = await used();
    const file = await backUp(place);
    const bridge = openDatabase(url);
    await bridge.selectFrom('series').selectAll().execute();
    await expect(restore(place, file)).rejects.toMatchObject({
      failure: 'in_use',
      message: expect.stringMatching(/\(nodebell\)/),
    });
    await bridge.destroy();
    const lock = await place.lock();
    await expect(restore(postgresPlace(url), file)).rejects.toMatchObject({ failure: 'in_use' });
    await lock.release();
    expect(await restore(place, file)).toMatchObject({ restored: true });
  });

  test('that fails, or whose connection is lost, leaves the old store', async () => {
    const { url, place } = await used();
    const content = await contentOf(place);
    const other = await backUp((await used({ notifications: [notification(9)] })).place);
    const interrupted = place.replace(async (trx) => {
      await sql`create table notifications (id bigint)`.execute(trx);
      await ask(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'nodebell-transfer'`
      );
      await sql`select 1`.execute(trx);
    }, '');
    await expect(interrupted).rejects.toThrow();
    expect(await contentOf(place)).toEqual(content);
    await restore(place, other);
    expect((await contentOf(place)).notifications).toMatchObject([{ id: 9 }]);
  });

  test('of an older SQLite is migrated', async () => {
    const old = temporaryFolder();
    await makeStore(old, { notifications: [notification(9)] });
    const file = await backUp(sqlitePlace(old), path.join(old, 'b.jsonl.zst'));
    const { place } = await used();
    setMigration();
    await restore(place, file);
    expect((await contentOf(place)).notifications).toMatchObject([{ id: 9, test: 'default' }]);
  });
});

test('a database that cannot be reached, without the password in the message', async () => {
  const place = postgresPlace('postgres://user:secret@127.0.0.1:1/none');
  const error = await place.exists().catch((reason: unknown) => reason as Error);
  expect(error).toMatchObject({
    failure: 'in_use',
    message: expect.stringContaining('postgres://user@127.0.0.1:1/none'),
  });
  expect((error as Error).message).not.toContain('secret');
});
