/**
 * Ages of notifications by the bridge's own clock (platform/storage/steadyClock.ts): once an hour the last id is recorded. Their timestamps come
 * from the system's clock, which can be wrong. Ids grow with arrival.
 */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';

/** Records what has arrived until now. Runs in the writer thread. @param now by the bridge's own clock */
export async function markArrivals(trx: Transacting, now: number): Promise<void> {
  const first = await trx.selectFrom('arrival_marks').select('ts').limit(1).executeTakeFirst();
  if (first === undefined) {
    await markEarlier(trx, now);
  }
  const { last } = await trx
    .selectFrom('series')
    .select('last')
    .where('name', '=', 'notification')
    .executeTakeFirstOrThrow();
  await mark(trx, now, last);
  const oldest = await trx
    .selectFrom('arrival_marks')
    .select('ts')
    .orderBy('ts', 'desc')
    .limit(1)
    .offset(LIMITS.arrivalMarks.value)
    .executeTakeFirst();
  if (oldest) {
    await trx.deleteFrom('arrival_marks').where('ts', '<=', oldest.ts).execute();
  }
}

const mark = (trx: Transacting, ts: number, last_id: number) =>
  trx
    .insertInto('arrival_marks')
    .values({ ts, last_id })
    .onConflict((conflict) => conflict.column('ts').doUpdateSet({ last_id }))
    .execute();

/**
 * Derives marks from the days of the timestamps, for a database of a version without marks. A timestamp that is too new makes the following
 * ones count as new, so that a wrong clock removes nothing early.
 */
async function markEarlier(trx: Transacting, now: number): Promise<void> {
  const { rows } = await sql<{
    day: number;
    first: number;
  }>`select ts / ${sql.raw(String(DAY_MS))} as day, min(id) as first
    from notifications group by 1 order by 1`.execute(trx);
  let before = Infinity;
  for (const { day, first } of rows.toReversed()) {
    const end = (day + 1) * DAY_MS;
    if (before !== Infinity && end < now) {
      await mark(trx, end, before - 1);
    }
    before = Math.min(before, first);
  }
}

/** The highest id of the notifications that had arrived at that time; 0: none. */
export async function arrivedBy(db: Database, ts: number): Promise<number> {
  const row = await db
    .selectFrom('arrival_marks')
    .select('last_id')
    .where('ts', '<=', ts)
    .orderBy('ts', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.last_id ?? 0;
}
