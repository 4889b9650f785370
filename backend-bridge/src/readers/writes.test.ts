/** How long lists may be, and how many there may be. What they hold is held to a model in tests/integration/model.test.ts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KEPT_UNREAD } from '../../contract/query.ts';
import { receiveRows } from '../notifications/receiveRows.ts';
import type { Transacting } from '../storage/bulk.ts';
import { type Database, databasePath, migrate, openDatabase } from '../storage/database.ts';
import { FORGET_AFTER_MS, MAX_READERS, purgeReaders, visit } from './writes.ts';

let directory: string;
let db: Database;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-readers-'));
  db = openDatabase(databasePath(directory));
  await migrate(db);
});
afterEach(async () => {
  await db.destroy();
  await rm(directory, { recursive: true, force: true });
});

const write = <T>(change: (trx: Transacting) => Promise<T>): Promise<T> => db.transaction().execute(change);
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
  }>`select count(*) as n, min(id) as oldest from unread where reader = ${reader}`.execute(db);
  return rows[0];
};

it('a list begins with the newest, and is cut to them when it has grown', async () => {
  const early = await come('early');
  await receive(KEPT_UNREAD + 500);
  const late = await come('late');
  expect(await list(late)).toEqual({ n: KEPT_UNREAD, oldest: 501 });
  expect((await list(early))?.n).toBeLessThanOrEqual(KEPT_UNREAD + 1000);
  await receive(1000);
  const expected = { n: KEPT_UNREAD, oldest: 1501 };
  expect([await list(early), await list(late)]).toEqual([expected, expected]);
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

it('whoever is forgotten leaves nothing, and a number is given out once', async () => {
  const first = await come('anna');
  const stays = await come('bert', 2);
  await receive(3);
  await write((trx) => purgeReaders(trx, FORGET_AFTER_MS + 2));
  expect([(await list(first))?.n, (await list(stays))?.n]).toEqual([0, 3]);
  await write((trx) => purgeReaders(trx, FORGET_AFTER_MS + 3));
  expect((await sql`select 1 from readers union all select 1 from unread`.execute(db)).rows).toEqual([]);
  expect(await come('anna')).toBe(3);
});
