/** Estimated counts after an arrival, until the bridge has counted. Pure. */
import { isRead, type Notification, unreadOf } from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { compareGroups, RANK, type Group } from './flat';

/** The counts that one notification adds. */
interface Added {
  count: number;
  unseen: number;
  open: number;
}

function added(notification: Notification, threads: boolean): Added {
  const { thread, timestamp } = notification;
  const opened = thread.state === 'open' && thread.openedAt === timestamp;
  const isNew = !threads || thread.count <= 1;
  const unread = !isRead(notification) && (!threads || unreadOf(thread) === 1);
  return { count: Number(isNew), unseen: Number(unread), open: Number(opened) };
}

const NO_GROUP = { count: 0, unseen: 0, open: 0, openPriority: null, enabled: true } as const;

/** @param threads whether threads are counted, or notifications */
export function countArrival(facets: Facets, notification: Notification, threads: boolean): Facets {
  const add = added(notification, threads);
  const { category, priority, timestamp } = notification;
  const old = facets.categories.find((group) => group.category === category);
  const before = old ?? NO_GROUP;
  const louder = add.open > 0 && (!before.openPriority || RANK[priority] > RANK[before.openPriority]);
  const group: Group = {
    category,
    count: before.count + add.count,
    unseen: before.unseen + add.unseen,
    open: before.open + add.open,
    openPriority: louder ? priority : before.openPriority,
    lastAt: timestamp,
    enabled: before.enabled,
  };
  return {
    ...facets,
    total: facets.total + add.count,
    unseen: facets.unseen + add.unseen,
    open: facets.open + add.open,
    lastId: Math.max(facets.lastId, notification.id),
    categories: [...facets.categories.filter((each) => each !== old), group].sort(compareGroups),
  };
}
