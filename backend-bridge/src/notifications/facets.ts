/** Counting what matches a filter: from the counts where they can tell, else from the newest matching rows. */
import { type RawBuilder, sql } from 'kysely';
import type { Priority } from '../../contract/notification.ts';
import type { Facets, NotificationFilter } from '../../contract/query.ts';
import { eachOf, inList } from '../storage/bulk.ts';
import type { Database } from '../storage/database.ts';
import { ALL_DAYS, DAY_MS, NOTIFICATIONS, THREADS } from './counts.ts';
import { isoOf, isStale, priorityOf, rankOf } from './rows.ts';
import { isThreadView, mutedConditions, selectMatching } from './select.ts';

/** A search, or another filter that the counts do not know, counts at most so many rows. */
const MAX_COUNTED = 10_000;

interface Group {
  key: string;
  count: number;
  unseen: number;
}
type GroupBy = 'category' | 'dnp_name';

/** Categories and packages under a filter. `lastId` is the highest id given out. */
export async function readFacets(db: Database, filter: NotificationFilter, now: number): Promise<Facets> {
  const counter = countable(filter) ? groupsFromCounts : groupsFromRows;
  const [categories, packages, whole, open, switches, last] = await Promise.all([
    counter(db, { ...filter, category: undefined }, 'category', now),
    counter(db, { ...filter, dnpName: undefined }, 'dnp_name', now),
    counter(db, filter, 'category', now),
    openThreads(db, filter, now),
    db.selectFrom('categories').select(['category', 'enabled']).execute(),
    db.selectFrom('series').select('last').where('name', '=', 'notification').executeTakeFirstOrThrow(),
  ]);
  const newest = await newestOf(db, filter, categories.groups.map(({ key }) => key));
  const enabled = new Map(switches.map((row) => [row.category, row.enabled === 1]));
  return {
    total: sum(whole.groups, 'count'),
    unseen: sum(whole.groups, 'unseen'),
    open: open.filter(({ category }) => !filter.category?.length || filter.category.includes(category)).length,
    exact: categories.exact && packages.exact && whole.exact,
    lastId: last.last,
    categories: categories.groups
      .map(({ key, count, unseen }) => {
        const threads = open.filter(({ category }) => category === key);
        const top = Math.max(-1, ...threads.map(({ priority }) => priority));
        const lastTs = newest.get(key);
        return {
          category: key,
          count,
          unseen,
          open: threads.length,
          openPriority: (top < 0 ? null : priorityOf(top)) satisfies Priority | null,
          lastAt: lastTs === undefined ? null : isoOf(lastTs),
          enabled: enabled.get(key) ?? true,
        };
      })
      .sort(byUrgency),
    packages: packages.groups.map(({ key, count, unseen }) => ({ dnpName: key, count, unseen })).sort((a, b) => (a.dnpName < b.dnpName ? -1 : 1)),
  };
}

const sum = (groups: Group[], what: 'count' | 'unseen'): number => groups.reduce((total, group) => total + group[what], 0);

/** Open critical first, then open, then with unseen, then the newest. */
function byUrgency(a: Facets['categories'][number], b: Facets['categories'][number]): number {
  const rank = (one: Facets['categories'][number]): number => (one.openPriority === null ? -1 : rankOf(one.openPriority));
  return (
    rank(b) - rank(a) ||
    Number(b.unseen > 0) - Number(a.unseen > 0) ||
    (b.lastAt ?? '').localeCompare(a.lastAt ?? '') ||
    a.category.localeCompare(b.category)
  );
}

function countable(filter: NotificationFilter): boolean {
  return filter.q === undefined && filter.open === undefined && filter.correlationId === undefined && filter.untilId === undefined;
}

/** Whole days come from the counts; the first and the last day of a range, where it cuts into them, from the rows. */
async function groupsFromCounts(db: Database, filter: NotificationFilter, by: GroupBy): Promise<{ groups: Group[]; exact: boolean }> {
  const threads = isThreadView(filter);
  const { from, to } = filter;
  const firstDay = from === undefined ? undefined : Math.ceil(from / DAY_MS);
  const endDay = to === undefined ? undefined : Math.floor(to / DAY_MS);
  const sources: RawBuilder<unknown>[] = [];
  if (firstDay === undefined && endDay === undefined) {
    sources.push(countsSource(threads, sql<boolean>`day = ${ALL_DAYS}`));
  } else {
    const low = firstDay ?? 0;
    const withinOneDay = endDay !== undefined && low > endDay;
    if (!withinOneDay) {
      sources.push(countsSource(threads, endDay === undefined ? sql<boolean>`day >= ${low}` : sql<boolean>`day >= ${low} and day < ${endDay}`));
    }
    if (withinOneDay) {
      sources.push(rowsSource(threads, from!, to!));
    } else {
      if (from !== undefined && low * DAY_MS > from) {
        sources.push(rowsSource(threads, from, low * DAY_MS));
      }
      if (to !== undefined && endDay! * DAY_MS < to) {
        sources.push(rowsSource(threads, endDay! * DAY_MS, to));
      }
    }
  }
  const conditions = countConditions(filter, threads);
  const { rows } = await sql<Group>`select ${sql.ref(by)} as key, sum(n) as count, sum(case when seen = 0 then n else 0 end) as unseen
    from (${sql.join(sources, sql` union all `)}) source where ${sql.join(conditions, sql` and `)} group by 1 having sum(n) > 0`.execute(db);
  return { groups: rows, exact: true };
}

const KINDS = sql`hidden, muted, seen, category, dnp_name, priority, state, banner`;

function countsSource(threads: boolean, days: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`select ${KINDS}, n from counts where scope = ${threads ? THREADS : NOTIFICATIONS} and ${days}`;
}

function rowsSource(threads: boolean, from: number, to: number): RawBuilder<unknown> {
  return threads
    ? sql`select 0 as hidden, 0 as muted, unseen = 0 as seen, category, dnp_name, priority, state, banner, 1 as n
        from threads where head_id is not null and head_ts >= ${from} and head_ts < ${to}`
    : sql`select hidden, muted, seen, category, dnp_name, priority, status as state, banner, 1 as n
        from notifications where ts >= ${from} and ts < ${to}`;
}

function countConditions(filter: NotificationFilter, threads: boolean): RawBuilder<boolean>[] {
  const errors = filter.errors ?? 'hidden';
  const list = (name: string, values: readonly (string | number)[] | undefined): RawBuilder<boolean>[] =>
    values === undefined || values.length === 0 ? [] : [inList(sql.ref(name), values)];
  const is = (name: string, value: boolean | undefined): RawBuilder<boolean>[] => (value === undefined ? [] : [sql<boolean>`${sql.ref(name)} = ${value ? 1 : 0}`]);
  const resolved = filter.status?.length === 1 ? filter.status[0] === 'resolved' : undefined;
  return [
    sql<boolean>`1 = 1`,
    ...is('hidden', errors === 'all' ? undefined : errors === 'only'),
    ...(threads ? [] : mutedConditions(filter, 'muted', 'state')),
    ...list('category', filter.category),
    ...list('dnp_name', filter.dnpName),
    ...list('priority', filter.priority?.map(rankOf)),
    ...is('seen', filter.seen),
    ...is('banner', filter.isBanner),
    ...(resolved === undefined ? [] : [resolved ? sql<boolean>`state = 'resolved'` : sql<boolean>`state <> 'resolved'`]),
  ];
}

async function groupsFromRows(db: Database, filter: NotificationFilter, by: GroupBy, now: number): Promise<{ groups: Group[]; exact: boolean }> {
  const threads = isThreadView(filter);
  const rows = await selectMatching(db, { filter, now, limit: MAX_COUNTED })
    .select([`n.${by} as key`, 'n.seen as seen', 't.unseen as thread_unseen'])
    .execute();
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const group = groups.get(row.key) ?? { key: row.key, count: 0, unseen: 0 };
    group.count += 1;
    group.unseen += (threads ? row.thread_unseen > 0 : row.seen === 0) ? 1 : 0;
    groups.set(row.key, group);
  }
  return { groups: [...groups.values()], exact: rows.length < MAX_COUNTED };
}

/** Open threads are few: they are read, and left out when stale. */
async function openThreads(db: Database, filter: NotificationFilter, now: number): Promise<{ category: string; priority: number }[]> {
  if (filter.open === false || filter.errors === 'only' || filter.muted === 'true') {
    return [];
  }
  const threadFilter: NotificationFilter = { ...filter, latest: true, open: true, category: undefined };
  const rows = await selectMatching(db, { filter: threadFilter, now, limit: MAX_COUNTED })
    .select(['t.category as category', 't.priority as priority', 't.state as state', 't.last_ts as last_ts'])
    .execute();
  return rows.filter((row) => !isStale(row.state, row.last_ts, now));
}

async function newestOf(db: Database, filter: NotificationFilter, categories: string[]): Promise<Map<string, number>> {
  if (categories.length === 0) {
    return new Map();
  }
  const shown = isThreadView(filter)
    ? sql`(select max(head_ts) from threads where category = value and head_id is not null)`
    : sql`(select max(ts) from notifications where category = value and muted = 0 and hidden = 0)`;
  const { rows } = await sql<{ category: string; ts: number | null }>`
    select value as category, ${shown} as ts from ${eachOf(categories)}`.execute(db);
  return new Map(rows.flatMap(({ category, ts }) => (ts === null ? [] : [[category, ts] as const])));
}
