/** Selects notifications that the policy removes: a window of ids at a time, oldest first. Also runs in the writer thread. */
import { firstRule, type RetentionRule } from '../../../contract/retention.ts';
import { PRIORITIES } from '../../../contract/notification.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import type { MemberRow } from '../notifications/writes.ts';

/** A rule with the highest id that is old enough for it; -1: never removed. */
export interface AgedRule extends RetentionRule {
  oldestUntil: number;
}

/** Why something may be removed: `rules`: its age by the first rule that matches; `limit`: all but what a rule keeps forever. */
export type Reason = 'rules' | 'limit';

export interface Criteria {
  rules: AgedRule[];
  reason: Reason;
  /** Ids after this one, up to that one. */
  after: number;
  until: number;
}

export type Scanned = MemberRow & Pick<NotificationRow, 'category' | 'priority'> & { state: string; first_id: number };

/** Part of a pass: what is to be removed, and where the next part begins. */
export interface Found {
  rows: Scanned[];
  /** Among the rows of the window. */
  inOpenThreads: number;
  looked: number;
  /** Continue after this id; undefined: all of the range was looked at. */
  next: number | undefined;
}

/** Notifications read at once: about a millisecond. */
export const WINDOW = 500;

/** Whether the policy removes the row for this reason. */
export function isRemovable(
  rules: readonly AgedRule[],
  reason: Reason,
  row: Omit<Scanned, 'first_id' | 'thread_id' | 'label_set'>
) {
  if (row.state === 'open') {
    return false;
  }
  const read = row.seen === 1 || row.muted === 1 || row.hidden === 1;
  const index = firstRule(rules, { category: row.category, priority: PRIORITIES[row.priority] ?? 'low', read });
  if (reason === 'limit') {
    return index < 0 || rules[index]!.oldestUntil >= 0;
  }
  return index >= 0 && row.id <= rules[index]!.oldestUntil;
}

/**
 * The removable notifications of the next window. A thread loses its oldest members first: one that stays keeps the later members of its
 * thread.
 * @param max at most so many are found
 * @param among only these ids, if given; the others stay
 * @param kept for passes that remove nothing: the threads that earlier windows kept, to which this one adds its own
 */
export async function findRemovable(
  db: Database,
  { rules, reason, after, until }: Criteria,
  max: number,
  { among, kept: before }: { among?: ReadonlySet<number> | undefined; kept?: Set<number> } = {}
): Promise<Found> {
  const window = await db
    .selectFrom('notifications as n')
    .innerJoin('threads as t', 't.id', 'n.thread_id')
    .select([
      'n.id',
      'n.thread_id',
      'n.category',
      'n.priority',
      'n.seen',
      'n.muted',
      'n.hidden',
      'n.label_set',
      't.state',
    ])
    .select((query) =>
      query
        .selectFrom('notifications as o')
        .select((all) => all.fn.min<number>('o.id').as('id'))
        .whereRef('o.thread_id', '=', 'n.thread_id')
        .as('first_id')
    )
    .where('n.id', '>', after)
    .where('n.id', '<=', until)
    .orderBy('n.id')
    .limit(WINDOW)
    .$narrowType<{ first_id: number }>()
    .execute();
  const kept = before ?? new Set<number>();
  const known = new Set<number>();
  const follows = (row: Scanned): boolean =>
    before !== undefined || known.has(row.thread_id) || row.first_id === row.id;
  const rows: Scanned[] = [];
  let inOpenThreads = 0;
  let looked = 0;
  for (const row of window) {
    if (rows.length >= max) {
      return { rows, inOpenThreads, looked, next: window[looked - 1]?.id ?? after };
    }
    looked += 1;
    inOpenThreads += row.state === 'open' ? 1 : 0;
    const isNext = follows(row);
    known.add(row.thread_id);
    if (isNext && !kept.has(row.thread_id) && (among?.has(row.id) ?? true) && isRemovable(rules, reason, row)) {
      rows.push(row);
    } else {
      kept.add(row.thread_id);
    }
  }
  return { rows, inOpenThreads, looked, next: window.length < WINDOW ? undefined : window.at(-1)!.id };
}
