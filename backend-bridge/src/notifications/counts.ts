/**
 * Counts by kind, ever and by day, so that a million notifications are counted without being read. A change takes
 * its rows out before, and puts them back after: the counts are right whatever the change was.
 */
import { type RawBuilder, sql } from 'kysely';
import { flagOf, inList } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';

export const DAY_MS = 86_400_000;
export const NOTIFICATIONS = 0;
export const THREADS = 1;
export const EVER = 0;
export const DAYS = 1;

const SPANS = sql.raw(`(select ${EVER} as span union all select ${DAYS}) as spans`);
const KEY = sql.raw('scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner');
const slotOf = (ts: string): RawBuilder<number> => sql.raw(`case span when ${EVER} then 0 else ${ts} / ${DAY_MS} end`);

/** Ids of rows that a change affects. */
export interface Counted {
  notifications?: readonly number[];
  threads?: readonly number[];
}

/**
 * Makes a change and updates the counts, whatever the change is: `before` is removed from the counts before it, `after` is added
 * after it. Changes of the same rows must not be nested.
 * @param after default: the same as before
 */
export async function recount<T>(
  trx: Transacting,
  before: Counted,
  change: () => Promise<T>,
  after: Counted = before
): Promise<T> {
  await add(trx, before, -1);
  const result = await change();
  await add(trx, after, 1);
  return result;
}

async function add(trx: Transacting, { notifications = [], threads = [] }: Counted, sign: 1 | -1): Promise<void> {
  if (notifications.length > 0) {
    await upsert(
      trx,
      sql`select ${sql.lit(NOTIFICATIONS)}, span, ${slotOf('ts')} as slot, hidden, muted, seen, category, dnp_name, priority, status, banner, ${sql.lit(sign)} * count(*)
        from notifications cross join ${SPANS} where ${inList(sql.ref('id'), notifications)}
        group by 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`
    );
  }
  if (threads.length > 0) {
    // A thread counts as unseen while it has an unseen member.
    await upsert(
      trx,
      sql`select ${sql.lit(THREADS)}, span, ${slotOf('head_ts')} as slot, 0, 0, ${flagOf(sql`unseen = 0`)}, category, dnp_name, priority, state, banner, ${sql.lit(sign)} * count(*)
        from threads cross join ${SPANS} where ${inList(sql.ref('id'), threads)} and head_id is not null
        group by 2, 3, 6, 7, 8, 9, 10, 11`
    );
  }
}

async function upsert(trx: Transacting, counted: RawBuilder<unknown>): Promise<void> {
  await sql`insert into counts (${KEY}, n) ${counted} on conflict (${KEY}) do update set n = counts.n + excluded.n`.execute(
    trx
  );
}
