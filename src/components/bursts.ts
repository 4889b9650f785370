/** Rows that stand for a thread, or for a burst: the threads that one source opened in a short time. Pure. */
import { type Notification, PRIORITIES, type Thread, unreadOf } from '@nodebell/contract/notification.ts';

type Burst = NonNullable<Thread['burst']>;
/** With the figures of a row. */
export type BurstRow = Required<Burst>;

/** The burst that a row stands for; undefined when it stands for one thread. */
export function burstOf({ thread: { burst } }: Pick<Notification, 'thread'>): BurstRow | undefined {
  return burst?.count === undefined ? undefined : (burst as BurstRow);
}

/** Whether an open thread is among those that a row stands for. */
export function hasOpen(row: Pick<Notification, 'thread'>): boolean {
  const burst = burstOf(row);
  return burst ? burst.open > 0 : row.thread.state === 'open';
}

/** Number of threads in a row. */
export const threadsOf = (row: Pick<Notification, 'thread'>): number => burstOf(row)?.count ?? 1;

/** Whether its snooze has ended and it has not been read since: it is on top. */
export const isReturned = (thread: Thread): boolean => thread.returnedAt !== undefined && unreadOf(thread) > 0;

const higher = (a: Notification['priority'], b: Notification['priority']) =>
  PRIORITIES.indexOf(a) > PRIORITIES.indexOf(b) ? a : b;

/**
 * An arrival as the row of its burst: the figures of the row before, and what it adds to them, until the list is loaded again.
 * @param before the row that is shown or pending
 */
export function asBurstRow(arrival: Notification, before: Notification | undefined): Notification {
  const { thread } = arrival;
  if (!thread.burst) {
    return arrival;
  }
  const known = before && burstOf(before);
  const isNew = thread.count <= 1;
  const opened = thread.state === 'open' && (isNew || thread.openedAt === arrival.timestamp);
  const closed = thread.state === 'resolved' && thread.closedAt === arrival.timestamp;
  const burst: BurstRow = {
    id: thread.burst.id,
    name: thread.burst.name,
    count: (known?.count ?? 0) + Number(isNew || !known),
    open: Math.max(0, (known?.open ?? 0) + Number(opened) - Number(closed)),
    unread: (known?.unread ?? 0) + Number(unreadOf(thread) === 1),
    priority: known ? higher(known.priority, arrival.priority) : arrival.priority,
  };
  return { ...arrival, thread: { ...thread, burst } };
}
