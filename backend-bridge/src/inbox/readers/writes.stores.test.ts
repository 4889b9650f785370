/** How long lists may be, and how many there may be. What they hold is held to a model in tests/integration/model.stores.test.ts. */
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { type Change, emptyStore } from '../../emptyStore.testing.ts';
import { LIMITS } from '../../../contract/limits.ts';
import '../../arrivals.ts';
import { receiveRows } from '../notifications/receiveRows.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { unreadNotifications } from './unread.ts';
import { READER_LIFETIME_MS, markOwn, MAX_READERS, purgeReaders, visit } from './writes.ts';

let db: Database;
let write: Change;
beforeEach(async () => {
  ({ db, write } = await emptyStore());
});

const receive = (count: number) =>
  write((trx) =>
    receiveRows(trx, [
      {
        now: 1,
        incoming: Array.from({ length: count }, () => ({ payload: { title: 'T', body: 'B' }, source: 'api' })),
      },
    ])
  );
const come = async (key: string, now = 1) => (await write((trx) => visit(trx, { key, now }))).result.id;
const list = async (reader: number | null) => {
  const { rows } = await sql<{
    n: number;
    oldest: number;
  }>`select count(*) as n, min(id) as oldest from ${unreadNotifications(reader ?? 0)} own`.execute(db);
  return rows[0];
};

const rows = async (table: 'unread' | 'arrivals') =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]?.n;

it('an arrival is stored once, whatever the number of readers', async () => {
  for (let count = 0; count < 20; count += 1) {
    await come(`reader ${count}`);
  }
  await receive(30);
  expect([await rows('unread'), await rows('arrivals')]).toEqual([0, 30]);
  expect([await list(1), await list(20)]).toEqual(Array(2).fill({ n: 30, oldest: 1 }));
});

it('nothing is stored of arrivals while there are no readers', async () => {
  await receive(30);
  expect(await rows('arrivals')).toBe(0);
});

it('a list starts with the newest, and keeps at least that many when it grows', async () => {
  const early = await come('early');
  await receive(LIMITS.keptUnread.value + 500);
  const late = await come('late');
  expect(await list(late)).toEqual({ n: LIMITS.keptUnread.value, oldest: 501 });
  expect((await list(early))?.n).toBeLessThanOrEqual(LIMITS.keptUnread.value + 1000);
  for (let arrived = 0; arrived < LIMITS.keptUnread.value + 1000; arrived += 1000) {
    await receive(1000);
    const lists = [await list(early), await list(late)];
    lists.forEach((one) => expect(one?.n).toBeGreaterThanOrEqual(LIMITS.keptUnread.value));
    lists.forEach((one) => expect(one?.n).toBeLessThanOrEqual(2 * LIMITS.keptUnread.value + 1000));
  }
  expect(await list(early)).toEqual(await list(late));
  expect(await rows('arrivals')).toBeLessThanOrEqual(LIMITS.keptUnread.value + 1000);
});

it('whoever has read most keeps what is older and unread', async () => {
  const reader = (await come('anna'))!;
  const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  await receive(1000);
  await write((trx) => markOwn(trx, { reader, ids: ids(2, 1000), read: true }));
  await receive(3000);
  await write((trx) => markOwn(trx, { reader, ids: ids(1001, 4000), read: true }));
  await receive(3000);
  expect(await list(reader)).toEqual({ n: 3001, oldest: 1 });
});

it('there are so many readers at a time', async () => {
  await write(async (trx) => {
    for (let count = 0; count < MAX_READERS; count += 1) {
      expect((await visit(trx, { key: `reader ${count}`, now: 1 })).result.id).toBe(count + 1);
    }
  });
  expect(await come('one more')).toBeNull();
  expect(await come('reader 3')).toBe(4);
});

it('an expired reader leaves nothing, and an id is never reused', async () => {
  const first = await come('anna');
  const stays = await come('bert', 2);
  await receive(3);
  await write((trx) => purgeReaders(trx, READER_LIFETIME_MS + 2));
  expect([(await list(first))?.n, (await list(stays))?.n]).toEqual([0, 3]);
  await write((trx) => purgeReaders(trx, READER_LIFETIME_MS + 3));
  expect(
    (await sql`select 1 from readers union all select 1 from unread union all select 1 from arrivals`.execute(db)).rows
  ).toEqual([]);
  expect(await come('anna')).toBe(3);
});
