/** Data of the query plan tests, and the filters that the page offers. */
import type { NotificationFilter } from '../../backend-bridge/contract/query.ts';
import type { Incoming } from '../../backend-bridge/src/inbox/notifications/receive.ts';

export const DAY = 86_400_000;
export const END = Date.parse('2026-11-20T00:00:00Z');

/** The notification of a number. */
export function incoming(index: number): Incoming {
  const kind = index % 10;
  return {
    source: 'api',
    payload: {
      title: `Title ${index}`,
      // PostgreSQL estimates how many words begin with a prefix only where at least 100 words are common.
      body: `Body word${index % 150}`,
      category: index % 13 === 0 ? 'off' : ['system', 'ethereum', 'other'][index % 3]!,
      dnpName: `package-${index % 4}.dnp`,
      priority: kind === 0 ? 'critical' : kind < 4 ? 'medium' : 'low',
      isBanner: kind === 5,
      ...(kind > 5 && { status: kind > 7 ? 'triggered' : 'resolved', correlationId: `thread ${index % 50}` }),
      ...(index % 17 === 0 && { errors: 'no such host' }),
      ...(index % 3 === 0 && {
        // Rare: of one notification each, the oldest; common: of every third.
        labels: { instance: `node${index % 60}`, ...(index < 300 && { old: `value ${index}` }) },
      }),
    },
  };
}

export const either = <T>(...values: T[]): (T | undefined)[] => [undefined, ...values];
/** Common, of one set, of few, and of many that are older than most others. */
export const MATCHERS = [
  'instance=~"node.*"',
  'old="value 3"',
  'instance="node3", old!=""',
  'old=~".+"',
  'instance!="node3"',
];
/** The tabs, the sections of a group, banners of the panel, and the default of the bridge: see src/inbox/filter.ts. */
export const TABS: Record<string, NotificationFilter> = {
  all: { latest: true },
  unread: { latest: true, read: false },
  open: { open: true },
  'unread part': { open: false, read: false },
  'history part': { open: false, read: true },
  muted: { muted: 'true' },
  errors: { errors: 'only', muted: 'all' },
  banners: { latest: true, isBanner: true },
  single: {},
  'single banners': { isBanner: true },
  search: { q: 'title bo' },
};
