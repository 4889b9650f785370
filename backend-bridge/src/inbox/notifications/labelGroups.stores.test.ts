/** Groups by the value of a label: their counts are those of the rows that a matcher selects. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { formatMatcher } from '../../../contract/matchers.ts';
import { isRead, type Notification, type NotificationPayload, unreadOf } from '../../../contract/notification.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import '../../arrivals.ts';
import { migrate, openDatabase } from '../../platform/database.ts';
import { testAddress } from '../../platform/storage/address.testing.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import { indexText } from '../../platform/storage/textIndex.ts';
import { visit } from '../readers/writes.ts';
import { snooze } from '../respond/snoozing.ts';
import { receiveRows } from './receiveRows.ts';
import { NotificationStore } from './store.ts';
import { mark } from './writes.ts';

const NOW = 1_795_000_000_000;
let directory: string;
let db: Database;
let store: NotificationStore;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-groups-'));
  db = openDatabase(await testAddress(directory));
  await migrate(db);
  store = new NotificationStore(db, () => NOW + 1000, { ready: () => Promise.resolve() });
});
afterEach(async () => {
  await db.destroy();
  await rm(directory, { recursive: true, force: true });
});

const write = <T>(change: (trx: Transacting) => Promise<T>): Promise<T> => db.transaction().execute(change);

type Given = Partial<NotificationPayload>;
async function send(given: Given[], now = NOW): Promise<void> {
  const incoming = given.map((one) => ({ payload: { title: 'T', body: 'B', ...one }, source: 'api' as const }));
  await write((trx) => receiveRows(trx, [{ now, incoming }]));
}

/** Teams of several sets, one value for two labels, names of members of objects, and what has no label, or none of this name. */
const fill = (count: number): Given[] =>
  Array.from({ length: count }, (_, index) => ({
    category: index % 7 === 0 ? 'off' : index % 2 > 0 ? 'system' : 'other',
    priority: index % 3 === 0 ? 'critical' : 'low',
    dnpName: `package-${index % 3}`,
    ...(index % 4 > 0 && { status: index % 4 > 1 ? 'triggered' : 'resolved', correlationId: `thread ${index % 40}` }),
    ...(index % 11 === 0 && { errors: 'lost' }),
    ...(index % 5 > 0 && {
      labels: {
        instance: `node${index % 9}`,
        ...(index % 3 > 0 && { team: ['a', 'b "c"', 'constructor'][index % 4] ?? 'node1' }),
        ...(index % 8 === 0 && { constructor: 'x' }),
      },
    }),
  }));

const FILTERS: NotificationFilter[] = [
  { latest: true },
  { latest: true, read: false },
  { latest: true, seen: true },
  { latest: true, snoozed: 'all' },
  { latest: true, category: ['system'], dnpName: ['package-1'] },
  { latest: true, priority: ['critical'] },
  { latest: true, from: NOW - 5000, to: NOW },
  { latest: true, matchers: 'instance=~"node[1-4]"' },
  { latest: true, acknowledged: false },
  { open: true },
  { open: false, read: true },
  { muted: 'true' },
  { errors: 'only', muted: 'all' },
  { q: 't' },
  {},
];

const isUnread = (row: Notification, { latest, open }: NotificationFilter): boolean =>
  (latest ?? open) === undefined ? !isRead(row) : unreadOf(row.thread) > 0;

it.each(FILTERS)('%j: groups have the counts of their rows', async (filter) => {
  await db.insertInto('categories').values({ category: 'off', enabled: 0, ts: 1 }).execute();
  await send(fill(150), NOW - 10_000);
  await write((trx) => visit(trx, { key: 'anna', now: NOW }));
  await send(fill(130), NOW - 1000);
  const snoozing = { until: NOW + 5000, reader: undefined, by: null, now: NOW };
  const { notifications } = await store.list({ open: true, matchers: 'team="constructor"' }, 1);
  expect(notifications).toHaveLength(1);
  await write((trx) => snooze(trx, { ids: notifications.map(({ id }) => id), ...snoozing }));
  await write((trx) => mark(trx, { ids: [3, 4, 5, 279], seen: true, now: NOW }));
  while ((await write((trx) => indexText(trx, null))).result.more);
  for (const reader of [undefined, 1]) {
    for (const groupBy of ['team', 'instance', 'constructor', 'absent']) {
      const { groups, total, exact } = await store.facets({ ...filter, groupBy }, reader);
      const all = (await store.list(filter, 1000, undefined, reader)).notifications;
      const expected = Map.groupBy(all, ({ labels }) => new Map(Object.entries(labels ?? {})).get(groupBy) ?? '');
      expect(exact).toBe(true);
      expect(total).toBe(all.length);
      const counted = await Promise.all(
        [...expected.keys()].map(async (value) => {
          const matcher = formatMatcher({ name: groupBy, value, isRegex: false, isEqual: true });
          const matchers = [...(filter.matchers ? [filter.matchers] : []), matcher].join(', ');
          const ids = async (narrower: NotificationFilter) =>
            (await store.list({ ...filter, ...narrower, matchers }, 1000, undefined, reader)).notifications;
          const rows = await ids({});
          expect(rows.map(({ id }) => id)).toEqual(expected.get(value)!.map(({ id }) => id));
          return { value, count: rows.length, unseen: rows.filter((row) => isUnread(row, filter)).length };
        })
      );
      const sorted = <T extends { value: string }>(rows: T[]) => rows.sort((a, b) => (a.value < b.value ? -1 : 1));
      expect(sorted(groups!.map(({ value, count, unseen }) => ({ value, count, unseen })))).toEqual(sorted(counted));
    }
  }
});

it('lists open groups first by priority, then those with unseen, then by value, at most 500', async () => {
  const open = { status: 'triggered' as const, priority: 'critical' as const };
  const values = Array.from({ length: 505 }, (_, index) => `v${String(index).padStart(3, '0')}`);
  await send(values.map((v) => ({ correlationId: v, labels: { v } })));
  await write((trx) => mark(trx, { ids: values.slice(0, 504).map((_, index) => index + 1), seen: true, now: NOW }));
  const low = { ...open, priority: 'low' as const, labels: { v: 'v300' } };
  await send([
    { ...low, correlationId: 'before' },
    {},
    { ...open, correlationId: 'v300', labels: { v: 'v300' } },
    { labels: { v: 'v301' } },
    { ...low, correlationId: 'after' },
  ]);
  const { groups, moreGroups, total } = await store.facets({ latest: true, groupBy: 'v' });
  expect(total).toBe(509);
  expect([groups!.length, moreGroups]).toEqual([500, 6]);
  expect(groups!.slice(0, 5)).toEqual([
    { value: 'v300', count: 3, unseen: 3, open: 3, openPriority: 'critical' },
    { value: 'v301', count: 2, unseen: 1, open: 0, openPriority: null },
    { value: 'v504', count: 1, unseen: 1, open: 0, openPriority: null },
    { value: '', count: 1, unseen: 1, open: 0, openPriority: null },
    { value: 'v000', count: 1, unseen: 0, open: 0, openPriority: null },
  ]);
  expect(await store.facets({ latest: true })).not.toHaveProperty('groups');
});
