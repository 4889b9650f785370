/**
 * Counts by kind, ever and by day, so that a million notifications are counted without being read. A change takes
 * its rows out before, and puts them back after: the counts are right whatever the change was.
 */
import { CompiledQuery } from 'kysely';
import type { Transacting } from '../storage/engine.ts';

export const DAY_MS = 86_400_000;
export const NOTIFICATIONS = 0;
export const THREADS = 1;
export const EVER = 0;
export const DAYS = 1;

const SPANS = `(select ${EVER} as span union all select ${DAYS}) spans`;
const COLUMNS = 'scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner, n';
const UPSERT = 'on conflict do update set n = n + excluded.n';
const slotOf = (ts: string): string => `case span when ${EVER} then 0 else ${ts} / ${DAY_MS} end`;

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
  await run(
    trx,
    `insert into counts (${COLUMNS})
     select ${NOTIFICATIONS}, span, ${slotOf('ts')} as slot, hidden, muted, seen, category, dnp_name, priority, status, banner, ? * count(*)
     from notifications, ${SPANS} where id in (select value from json_each(?))
     group by 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 ${UPSERT}`,
    notifications,
    sign
  );
  // A thread counts as unseen while it has an unseen member.
  await run(
    trx,
    `insert into counts (${COLUMNS})
     select ${THREADS}, span, ${slotOf('head_ts')} as slot, 0, 0, unseen = 0, category, dnp_name, priority, state, banner, ? * count(*)
     from threads, ${SPANS} where id in (select value from json_each(?)) and head_id is not null
     group by 2, 3, 6, 7, 8, 9, 10, 11 ${UPSERT}`,
    threads,
    sign
  );
}

async function run(trx: Transacting, statement: string, ids: readonly number[], sign: 1 | -1): Promise<void> {
  if (ids.length > 0) {
    await trx.executeQuery(CompiledQuery.raw(statement, [sign, JSON.stringify(ids)]));
  }
}
