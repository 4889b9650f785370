/**
 * Removes expired data: keys of requests and alerts, read states, empty counts, old weeks of the report; and returns free pages. In small steps, so that
 * arrivals do not wait. Ages are measured by the bridge's own clock (platform/storage/steadyClock.ts).
 */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts';
import { cleanBursts } from './burstRows.ts';
import { receiptLifetime } from './receipts.ts';
import { cleanResponses } from '../responses/activities.ts';
import { purgeReaders } from '../readers/writes.ts';
import { engineOf, type Transacting } from '../../platform/storage/engine.ts';
import { storeClock } from '../../platform/storage/steadyClock.ts';

/** Removes expired data of an area, once an hour. @param now by the bridge's own clock */
export type Cleaner = (trx: Transacting, now: number) => Promise<void>;

let cleaners: readonly Cleaner[] = [];

/** To be called once, where the writes of the store are listed. */
export function registerCleaners(registered: readonly Cleaner[]): void {
  cleaners = registered;
}

/**
 * One step of cleaning. Rows are looked for once a minute, empty counts once an hour; a step that finds nothing in between
 * writes nothing.
 * @param now by the bridge's own clock
 */
export async function clean(trx: Transacting, { now }: { now: number }): Promise<void> {
  const before = await storeClock(trx, now);
  if (before !== undefined) {
    await cleanReceipts(trx, now);
    await purgeReaders(trx, now);
    await cleanBursts(trx, now);
    await cleanResponses(trx, now - LIMITS.returnedDays.value * DAY_MS);
    if (Math.floor(before / HOUR_MS) !== Math.floor(now / HOUR_MS)) {
      await cleanCounts(trx);
      for (const cleaner of cleaners) {
        await cleaner(trx, now);
      }
    }
  }
  await engineOf(trx).compactText?.(trx);
  await engineOf(trx).releasePages(trx, LIMITS.releasedPages.value, LIMITS.freePages.value);
}

/** Removes expired receipts of each scope, and the oldest beyond the limit of a scope: no sender loses a key because of another. */
async function cleanReceipts(trx: Transacting, now: number): Promise<void> {
  let room = LIMITS.cleanedRows.value;
  for (const scope of await scopes(trx)) {
    const count = Math.min(room, await surplus(trx, scope, now - receiptLifetime(scope)));
    if (count > 0) {
      await sql`delete from receipts where scope = ${scope} and key in (
        select key from receipts where scope = ${scope} order by ts limit ${count})`.execute(trx);
      room -= count;
    }
  }
}

/** Number of the oldest rows to remove. */
async function surplus(trx: Transacting, scope: string, before: number): Promise<number> {
  const { rows } = await sql<{
    total: number;
    old: number;
  }>`select count(*) as total, coalesce(sum(case when ts < ${before} then 1 else 0 end), 0) as old
    from receipts where scope = ${scope}`.execute(trx);
  const { total, old } = rows[0]!;
  return Math.max(old, total - LIMITS.receiptsPerSender.value);
}

/** One index lookup for each scope instead of reading every receipt. */
async function scopes(trx: Transacting): Promise<string[]> {
  const { rows } = await sql<{ scope: string }>`with recursive found(scope) as (
      select min(scope) from receipts
      union all
      select (select min(scope) from receipts where scope > found.scope) from found where found.scope is not null)
    select scope from found where scope is not null`.execute(trx);
  return rows.map(({ scope }) => scope);
}

const COUNT_KEY = sql.raw('scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner');

/** Removes counts that are zero; a kind that appears again is counted again. */
async function cleanCounts(trx: Transacting): Promise<void> {
  await sql`delete from counts where (${COUNT_KEY}) in (
    select ${COUNT_KEY} from counts where n = 0 limit ${LIMITS.cleanedRows.value})`.execute(trx);
}
