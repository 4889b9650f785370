/** Migrations of a database, with one more than there are. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { notification, SAMPLE } from '../backup/sampleRows.testing.ts';
import { contentOf, makeStoreAt, placeAt } from '../backup/transferWorld.testing.ts';
import { WRITES } from '../../writes.ts';
import { testAddress } from './address.testing.ts';
import { migrate, openDatabase } from '../database.ts';
import { insertRows } from './bulk.ts';
import type { Database } from './engine.ts';
import { FIRST, MIGRATIONS } from './migrations/index.ts';
import { NEXT, RELEASED, setMigration } from './migrations/second.testing.ts';
import type { NotificationRow } from './schema.ts';
import { WriteQueue } from './writeQueue.ts';

let directory: string;
let address: string;
beforeEach(async () => {
  directory = temporaryFolder();
  address = await testAddress(directory);
});

async function using<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(address);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

const upgrade = (): Promise<void> => using((db) => migrate(db));
const content = () => contentOf(placeAt(address));
const recorded = (): Promise<string[]> =>
  using(async (db) => {
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
    return rows.map(({ name }) => name);
  });
const tables = (): Promise<string[]> =>
  using(async (db) => (await db.introspection.getTables()).map(({ name }) => name));

/** As a version with these migrations leaves it. */
const record = (...names: string[]): Promise<void> =>
  using(async (db) => {
    for (const name of names) {
      await sql`insert into migrations (name, timestamp) values (${name}, '2026-11-24')`.execute(db);
    }
  });

it('migrations are numbered one after another', () => {
  expect(Object.keys(MIGRATIONS).map((name) => Number(/^(\d{4})_[a-z0-9_.]+$/.exec(name)![1]))).toEqual(
    Object.keys(MIGRATIONS).map((_, index) => index + 1)
  );
});

it('the second start changes nothing', async () => {
  await makeStoreAt(address);
  const before = await content();
  await upgrade();
  expect(await content()).toEqual(before);
  expect(await recorded()).toEqual(RELEASED);
});

it('a first start that was interrupted leaves nothing, and is repeated', async () => {
  const first = MIGRATIONS[FIRST]!;
  setMigration(FIRST, {
    async up(db) {
      await first.up(db);
      throw new Error('interrupted');
    },
  });
  await expect(upgrade()).rejects.toThrow('interrupted');
  expect((await tables()).filter((name) => name in SAMPLE)).toEqual([]);
  MIGRATIONS[FIRST] = first;
  await upgrade();
  expect(await recorded()).toEqual(RELEASED);
});

it('a database without labels gets them; what is stored has none', async () => {
  const later = Object.entries(MIGRATIONS).filter(([name]) => name >= '0003');
  later.forEach(([name]) => Reflect.deleteProperty(MIGRATIONS, name));
  try {
    await upgrade();
  } finally {
    Object.assign(MIGRATIONS, Object.fromEntries(later));
  }
  const { label_set: _set, ...row } = notification(1);
  await using((db) => db.transaction().execute((trx) => insertRows(trx, 'notifications', [row as NotificationRow])));
  await upgrade();
  const { notifications, label_sets } = await content();
  expect([notifications, label_sets]).toEqual([[{ ...row, label_set: 0 }], []]);
});

describe('a database of the version before', () => {
  it('keeps all its data', async () => {
    await makeStoreAt(address);
    const before = await content();
    setMigration();
    await upgrade();
    const after = await content();
    expect(after).toMatchObject(before);
    expect(after.notifications!.map(({ test }) => test)).toEqual(before.notifications!.map(() => 'default'));
    expect(await recorded()).toEqual([...RELEASED, NEXT]);
  });

  it('is not changed when the migration fails', async () => {
    await makeStoreAt(address);
    const [before, tablesBefore] = [await content(), await tables()];
    setMigration();
    await using((db) => sql`create index test_name on events (type)`.execute(db));
    await expect(upgrade()).rejects.toThrow('test_name');
    expect([await content(), await tables(), await recorded()]).toEqual([before, tablesBefore, RELEASED]);
  });

  it('is used by a replica of that version after the migration', async () => {
    const queue = await WriteQueue.open({ path: address, writes: WRITES });
    const send = (title: string) =>
      queue.submit(receive, { incoming: [{ payload: { title, body: 'B' }, source: 'api' }], now: 5 });
    const reader = openDatabase(address, { readonly: true });
    const titles = async () =>
      (await reader.selectFrom('notifications').selectAll().orderBy('id').execute()).map(({ title }) => title);
    await send('before');
    expect(await titles()).toEqual(['before']);
    setMigration();
    await upgrade();
    await send('after');
    expect(await titles()).toEqual(['before', 'after']);
    await reader.destroy();
    await queue.close();
  });
});

describe('a database that cannot be used is rejected with what to do, and not changed:', () => {
  it.each([
    ['one of a newer version', ['9999_from_the_future'], /changed by a newer version of the bridge \(9999_from_the_f/],
    [
      'one of a development version',
      ['0001_baseline', '0016_via'],
      /created by a development version before 0\.1\.0 \(last migr/,
    ],
  ])('%s', async (_, names, message) => {
    await makeStoreAt(address);
    if (names[0]! < FIRST) {
      await using((db) => sql`delete from migrations`.execute(db));
    }
    await record(...names);
    const before = [await content(), await recorded()];
    await expect(WriteQueue.open({ path: address, writes: WRITES })).rejects.toThrow(
      new RegExp(`^The database cannot be used: It was ${message.source}`)
    );
    expect([await content(), await recorded()]).toEqual(before);
  });
});
