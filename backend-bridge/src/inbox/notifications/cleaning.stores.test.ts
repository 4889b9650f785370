/** Expiry by age and by number, in a real database. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Change, emptyStore } from '../../emptyStore.testing.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../../contract/time.ts';
import '../../arrivals.ts';
import { receiveRows } from './receiveRows.ts';
import type { Incoming } from './receive.ts';
import { remove } from './deletions.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { clean } from './cleaning.ts';

const MINUTE = 60_000;
const START = 1_795_000_000_000;
let db: Database;
let write: Change;
beforeEach(async () => {
  ({ db, write } = await emptyStore());
});

const cleanAt = (now: number) => write((trx) => clean(trx, { now }));
const count = async (table: string): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n;
const receipts = async (): Promise<string[]> =>
  (await db.selectFrom('receipts').select(['scope', 'key']).orderBy('scope').orderBy('ts').execute()).map(
    ({ scope, key }) => `${scope} ${key}`
  );
const receive = (now: number, ...incoming: Partial<Incoming>[]) =>
  write((trx) =>
    receiveRows(trx, [
      { now, incoming: incoming.map((one) => ({ payload: { title: 'T', body: 'B' }, source: 'api', ...one })) },
    ])
  );
const received = (now: number, scope: string, ...keys: string[]) =>
  receive(now, ...keys.map((key) => ({ once: { scope, key } })));
/** `count` rows, without a notification each. */
const fill = (scope: string, rows: number, ts: number) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
    insert into receipts select cast(${scope} as text), 'k' || i, null, i, cast(${ts} as bigint) + i from n`.execute(
    db
  );

describe('keys', () => {
  it('of requests go after a day, those of alerts thirty days after they were last repeated', async () => {
    await received(START, 'key:s', 'a');
    await received(START, 'alertmanager:s', 'once', 'repeated');
    await received(START, 'grafana:s', 'another');
    await cleanAt(START + DAY_MS);
    expect(await receipts()).toHaveLength(4);
    await cleanAt(START + DAY_MS + MINUTE);
    expect(await receipts()).toHaveLength(3);
    const again = await received(START + 20 * DAY_MS, 'alertmanager:s', 'repeated');
    expect(again.results.flat()).toMatchObject([{ outcome: 'duplicate' }]);
    await cleanAt(START + 30 * DAY_MS + MINUTE);
    expect(await receipts()).toEqual(['alertmanager:s repeated']);
    await cleanAt(START + 50 * DAY_MS + 2 * MINUTE);
    expect(await receipts()).toEqual([]);
  });

  it('of requests do not live on by being repeated', async () => {
    await received(START, 'key:s', 'a');
    await received(START + DAY_MS - 1, 'key:s', 'a');
    await cleanAt(START + DAY_MS + MINUTE);
    expect(await receipts()).toEqual([]);
  });

  it('beyond what one sender may have go, the oldest first, and nobody else’s', async () => {
    await fill('gatus:modest', 3, START);
    await fill('gatus:greedy', LIMITS.receiptsPerSender.value + 2, START);
    await cleanAt(START + MINUTE);
    expect(await count('receipts')).toBe(LIMITS.receiptsPerSender.value + 3);
    const { rows } = await sql<{
      oldest: number;
    }>`select min(ts) as oldest from receipts where scope = 'gatus:greedy'`.execute(db);
    expect(rows).toEqual([{ oldest: START + 3 }]);
  });

  it('go in steps', async () => {
    const rows = LIMITS.cleanedRows.value + 5;
    await fill('gatus:a', rows, START);
    await fill('gatus:b', 5, START);
    await cleanAt(START + 40 * DAY_MS);
    expect(await count('receipts')).toBe(10);
    await cleanAt(START + 40 * DAY_MS + MINUTE);
    expect(await count('receipts')).toBe(0);
  });
});

describe('counts', () => {
  it('of which there is none any more go, once an hour; those that come back are right', async () => {
    const rows = await receive(START, {}, { payload: { title: 'T', body: 'B', category: 'c' } });
    await cleanAt(START + MINUTE);
    const ids = rows.results.flat().map(({ id }) => id);
    await write((trx) => remove(trx, { ids: [ids[0]!], deletion: 'd', expiresTs: START }));
    const empty = sql<{ n: number }>`select count(*) as n from counts where n = 0`;
    expect((await empty.execute(db)).rows[0]!.n).toBeGreaterThan(0);
    await cleanAt(START + 2 * MINUTE);
    expect((await empty.execute(db)).rows[0]!.n).toBeGreaterThan(0);
    await cleanAt(START + 3_600_000 + MINUTE);
    expect((await empty.execute(db)).rows[0]!.n).toBe(0);
    await receive(START, {});
    const { rows: sums } = await sql`select scope, sum(n) as n from counts where span = 0 group by scope`.execute(db);
    expect(sums).toEqual([
      { scope: 0, n: 2 },
      { scope: 1, n: 2 },
    ]);
  });
});

describe('responses', () => {
  const threads = LIMITS.cleanedRows.value + 1;
  const left = async () => (await db.selectFrom('responses').select('thread_id').orderBy('thread_id').execute()).length;
  const remove = (thread: number) => db.deleteFrom('threads').where('id', '=', thread).execute();

  it('of threads that are gone go, of so many threads a minute, and again from the first one on', async () => {
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${threads})
      insert into threads (id, dnp_name, correlation_id, state, last_ts, closed_by_hand, banner, category, priority, count, unseen)
      select i, 'p', 'c' || i, 'event', 0, 0, 0, 'other', 0, 0, 0 from n`.execute(db);
    await sql`insert into responses (thread_id, ack_ts, comments) select id, 1, 0 from threads`.execute(db);
    await remove(1);
    await remove(threads);
    await cleanAt(START + MINUTE);
    expect(await left()).toBe(threads - 1);
    await remove(2);
    await cleanAt(START + 2 * MINUTE);
    expect(await left()).toBe(threads - 2);
    await cleanAt(START + 3 * MINUTE);
    expect(await left()).toBe(threads - 3);
  });
});
