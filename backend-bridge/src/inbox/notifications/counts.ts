/**
 * Counts by kind, ever and by day, so that a million notifications are counted without being read. A change takes
 * its rows out before, and puts them back after: the counts are right whatever the change was.
 */
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../../contract/time.ts';
import { flagOf, inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { CountRow, NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';

export const NOTIFICATIONS = 0;
export const THREADS = 1;
export const EVER = 0;
export const DAYS = 1;

const SPANS = sql.raw(`(select ${EVER} as span union all select ${DAYS}) as spans`);
const KEY_COLUMNS = 'scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner';
const KEY = sql.raw(KEY_COLUMNS);
const ADD = `on conflict (${KEY_COLUMNS}) do update set n = counts.n + excluded.n`;
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
        from notifications cross join ${SPANS} where ${inList('id', notifications)}
        group by 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`
    );
  }
  if (threads.length > 0) {
    // A thread counts as unseen while it has an unseen member.
    await upsert(
      trx,
      sql`select ${sql.lit(THREADS)}, span, ${slotOf('head_ts')} as slot, 0, 0, ${flagOf(sql`unseen = 0`)}, category, dnp_name, priority, state, banner, ${sql.lit(sign)} * count(*)
        from threads cross join ${SPANS} where ${inList('id', threads)} and head_id is not null
        group by 2, 3, 6, 7, 8, 9, 10, 11`
    );
  }
}

async function upsert(trx: Transacting, counted: RawBuilder<unknown>): Promise<void> {
  await sql`insert into counts (${KEY}, n) ${counted} ${sql.raw(ADD)}`.execute(trx);
}

/** Arrived notifications, and their threads. */
export interface Arrived {
  notifications: readonly NotificationRow[];
  /** The threads as they were, without new ones. */
  before: readonly ThreadRow[];
  after: readonly ThreadRow[];
}

/** Adds arrivals to the counts like {@link recount}, from the rows themselves: one row for each kind, and none for unchanged ones. */
export async function countArrivals(trx: Transacting, { notifications, before, after }: Arrived): Promise<void> {
  const days = tally([
    ...notifications.map(kindOfNotification),
    ...before.filter(isShown).map((thread) => kindOfThread(thread, -1)),
    ...after.filter(isShown).map((thread) => kindOfThread(thread, 1)),
  ]);
  const ever = tally(days.map((row) => ({ ...row, span: EVER, slot: 0 })));
  await insertRows(trx, 'counts', [...days, ...ever], ADD);
}

const isShown = ({ head_id }: ThreadRow): boolean => head_id !== null;

const kindOfNotification = (row: NotificationRow): CountRow => ({
  scope: NOTIFICATIONS,
  span: DAYS,
  slot: Math.floor(row.ts / DAY_MS),
  hidden: row.hidden,
  muted: row.muted,
  seen: row.seen,
  category: row.category,
  dnp_name: row.dnp_name,
  priority: row.priority,
  state: row.status,
  banner: row.banner,
  n: 1,
});

const kindOfThread = (row: ThreadRow, n: 1 | -1): CountRow => ({
  scope: THREADS,
  span: DAYS,
  slot: Math.floor((row.head_ts ?? 0) / DAY_MS),
  hidden: 0,
  muted: 0,
  seen: row.unseen === 0 ? 1 : 0,
  category: row.category,
  dnp_name: row.dnp_name,
  priority: row.priority,
  state: row.state,
  banner: row.banner,
  n,
});

/** One row for each kind, with the sum of its numbers; none where that is 0. */
function tally(rows: readonly CountRow[]): CountRow[] {
  const sums = new Map<string, CountRow>();
  for (const row of rows) {
    const { scope, slot, hidden, muted, seen, banner, priority, state, category, dnp_name } = row;
    // Category and package are any text: the length keeps them apart.
    const key = `${scope} ${slot} ${hidden}${muted}${seen}${banner}${priority} ${state} ${category.length} ${category}${dnp_name}`;
    const sum = sums.get(key);
    if (sum) {
      sum.n += row.n;
    } else {
      sums.set(key, row);
    }
  }
  return [...sums.values()].filter(({ n }) => n !== 0);
}
