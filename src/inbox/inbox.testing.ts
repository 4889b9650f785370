/** Notifications for tests. */
import type { Notification, Thread } from '@nodebell/contract/notification.ts';
import type { Group } from './grouping';

const TIME = Date.parse('2026-11-21T10:00:00.000Z');

/** The time at which a notification of this id arrived: one minute apart. */
export const timeOf = (id: number): string => new Date(TIME + id * 60_000).toISOString();

type Given = Omit<Partial<Notification>, 'thread'> & { id: number; thread?: Partial<Thread> };

/** A notification; of a thread of its own unless it is given a correlationId. */
export function aNotification({ id, thread, ...given }: Given): Notification {
  const seen = given.seen ?? false;
  return {
    id,
    timestamp: timeOf(id),
    title: `Title ${id}`,
    body: `Body ${id}`,
    category: 'hardware',
    dnpName: 'dms.dnp.dappnode.eth',
    priority: 'low',
    status: 'triggered',
    correlationId: `own-${id}`,
    isBanner: false,
    source: 'api',
    muted: false,
    ...given,
    seen,
    thread: {
      state: 'event',
      count: 1,
      unseen: seen ? 0 : 1,
      openedAt: null,
      closedAt: null,
      lastAt: timeOf(id),
      stale: false,
      closedByHand: false,
      ...thread,
    },
  };
}

export const aGroup = (given: Partial<Group> = {}): Group => ({
  by: '',
  value: 'hardware',
  count: 1,
  unseen: 0,
  open: 0,
  openPriority: null,
  lastAt: timeOf(1),
  enabled: true,
  ...given,
});
