/** Reads steps of escalations that run, and those that were sent. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { StepMark } from './escalation.ts';
import { UNACKNOWLEDGED } from '../schedules/hours.ts';

/** In place of a channel in the outbox. Not the name of a channel. */
export const REMINDER = 'reminder: acknowledged';

/** Literals, so that the partial index serves. */
export const isOpenStep = (alias: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${alias}.state`)} = 'held' and ${sql.ref(`${alias}.hold`)} = ${sql.lit<'unacknowledged'>(UNACKNOWLEDGED)}`;

/** Whether the thread of an entry `o` of the outbox is snoozed for all. */
export const isSnoozed = sql<SqlBool>`exists (
  select s.thread_id from snoozes as s where s.thread_id = o.thread_id and s.reader = 0 and s.woken_ts is null)`;

/** Whether it has resolved since. */
export const isResolved = sql<SqlBool>`exists (
  select later.id from notifications as later
  where later.thread_id = o.thread_id and later.id > o.notification_id and later.hidden = 0
  and later.status = 'resolved' and later.status_given = 1)`;

/** Whether somebody handles it, or it has resolved since. */
export const isHandled = sql<SqlBool>`(exists (
  select a.thread_id from responses as a where a.thread_id = o.thread_id and a.ack_ts is not null)
  or ${isSnoozed} or ${isResolved})`;

/** Rows of versions before have none. */
export const markOf = (text: string | null): StepMark | undefined =>
  text === null ? undefined : (JSON.parse(text) as StepMark);

/** An escalation that runs. */
export interface Running {
  /** Ids of its steps in the outbox. */
  ids: number[];
  /** Rank of the notification for which it runs; -1: somebody handles it, so that it ends, or only its reminder is left. */
  rank: number;
}

/** Escalations of these threads, by route. */
export async function runningAmong(
  trx: Transacting,
  threads: readonly number[]
): Promise<Map<number, Map<string, Running>>> {
  const found = new Map<number, Map<string, Running>>();
  if (threads.length === 0) {
    return found;
  }
  const rows = await trx
    .selectFrom('outbox as o')
    .innerJoin('notifications as n', 'n.id', 'o.notification_id')
    .select(['o.id', 'o.thread_id', 'o.escalation', 'n.priority'])
    .select(sql<number>`case when ${isHandled} then 1 else 0 end`.as('handled'))
    .where(inList('o.thread_id', threads))
    .where(isOpenStep('o'))
    .where('o.escalation', 'is not', null)
    .execute();
  for (const { id, thread_id, escalation, priority, handled } of rows) {
    const routes = found.get(thread_id) ?? new Map<string, Running>();
    const { route, reminder } = markOf(escalation)!;
    const known = routes.get(route);
    routes.set(route, {
      ids: [...(known?.ids ?? []), id],
      rank: Math.max(handled === 1 || reminder ? -1 : priority, known?.rank ?? -1),
    });
    found.set(thread_id, routes);
  }
  return found;
}

/** Steps that were sent for the last time since their threads have resolved: ranks of their notifications, by {@link stepKey}. */
export async function endedAmong(
  trx: Transacting,
  threads: readonly number[]
): Promise<Map<number, Map<string, number>>> {
  const found = new Map<number, Map<string, number>>();
  if (threads.length === 0) {
    return found;
  }
  const rows = await trx
    .selectFrom('outbox as o')
    .innerJoin('notifications as n', 'n.id', 'o.notification_id')
    .select(['o.thread_id', 'o.escalation', 'n.priority'])
    .distinct()
    .where(inList('o.thread_id', threads))
    .where('o.escalation', 'is not', null)
    .where(sql<SqlBool>`not (${isOpenStep('o')}) and not ${isResolved}`)
    .execute();
  for (const { thread_id, escalation, priority } of rows) {
    const { route, step, left = 0 } = markOf(escalation)!;
    const key = stepKey(route, step);
    const steps = found.get(thread_id) ?? new Map<string, number>();
    if (left === 0) {
      found.set(thread_id, steps.set(key, Math.max(priority, steps.get(key) ?? -1)));
    }
  }
  return found;
}

export const stepKey = (route: string, step: number): string => `${step} ${route}`;
