/**
 * Ages of notifications by the bridge's own clock (platform/storage/steadyClock.ts): once an hour the last id is recorded. Their timestamps come
 * from the system's clock, which can be wrong. Ids grow with arrival.
 */
import { LIMITS } from '../../../contract/limits.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import { lastNumber } from '../../platform/storage/series.ts';

/** Records what has arrived until now. Runs in the writer thread. @param now by the bridge's own clock */
export async function markArrivals(trx: Transacting, now: number): Promise<void> {
  const last_id = await lastNumber(trx, 'notification');
  await trx
    .insertInto('arrival_marks')
    .values({ ts: now, last_id })
    .onConflict((conflict) => conflict.column('ts').doUpdateSet({ last_id }))
    .execute();
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
