/** Counting what matches a filter: from the counts where they can tell, else from the newest matching rows. */
import { type RawBuilder, sql } from 'kysely';
import type { Facets, NotificationFilter } from '../../contract/query.ts';
import { eachOf, inList, withoutIndex } from '../storage/bulk.ts';
import type { Database } from '../storage/database.ts';
import { DAY_MS, DAYS, EVER, HOUR_MS, HOURS, NOTIFICATIONS, THREADS } from './counts.ts';
import { isoOf, priorityOf, rankOf } from './rows.ts';
import { isOpen, isThreadView, mutedConditions, selectMatching } from './select.ts';

/** A search, or another filter that the counts do not know, counts at most so many rows. */
const MAX_COUNTED = 10_000;

/** How many rows of one category and package match, and how many of these are unseen. */
interface Cell {
  category: string;
  dnp_name: string;
  count: number;
  unseen: number;
}

/** Categories and packages under a filter. `lastId` is the highest id given out. */
export async function readFacets(db: Database, filter: NotificationFilter, now: number): Promise<Facets> {
  // One look for all: the two lists leave their own filter out, so they are narrowed down here.
  const wide: NotificationFilter = { ...filter, category: undefined, dnpName: undefined };
  const { cells, exact } = await (countable(filter) ? cellsFromCounts(db, wide) : cellsFromRows(db, wide, now));
  const inCategory = within(filter.category);
  const inPackage = within(filter.dnpName);
  const categories = group(cells.filter(({ dnp_name }) => inPackage(dnp_name)), 'category');
  const packages = group(cells.filter(({ category }) => inCategory(category)), 'dnp_name');
  const whole = [...categories].filter(([category]) => inCategory(category)).map(([, counted]) => counted);
  const [open, switches, last, newest] = await Promise.all([
    openThreads(db, filter, now),
    db.selectFrom('categories').select(['category', 'enabled']).execute(),
    db.selectFrom('series').select('last').where('name', '=', 'notification').executeTakeFirstOrThrow(),
    newestOf(db, filter, [...categories.keys()]),
  ]);
  const enabled = new Map(switches.map((row) => [row.category, row.enabled === 1]));
  return {
    total: sum(whole, 'count'),
    unseen: sum(whole, 'unseen'),
    open: open.filter(({ category }) => inCategory(category)).reduce((total, { n }) => total + n, 0),
    exact,
    lastId: last.last,
    categories: [...categories]
      .map(([category, counted]) => {
        const threads = open.filter((one) => one.category === category);
        const lastTs = newest.get(category);
        return {
          category,
          ...counted,
          open: threads.reduce((total, { n }) => total + n, 0),
          openPriority: threads.length === 0 ? null : priorityOf(Math.max(...threads.map(({ priority }) => priority))),
          lastAt: lastTs === undefined ? null : isoOf(lastTs),
          enabled: enabled.get(category) ?? true,
        };
      })
      .sort(byUrgency),
    packages: [...packages].map(([dnpName, counted]) => ({ dnpName, ...counted })).sort((a, b) => (a.dnpName < b.dnpName ? -1 : 1)),
  };
}

interface Counted {
  count: number;
  unseen: number;
}

const within = (values: readonly string[] | undefined) => (value: string): boolean => values === undefined || values.length === 0 || values.includes(value);

function group(cells: Cell[], by: 'category' | 'dnp_name'): Map<string, Counted> {
  const groups = new Map<string, Counted>();
  for (const cell of cells) {
    const counted = groups.get(cell[by]) ?? { count: 0, unseen: 0 };
    groups.set(cell[by], { count: counted.count + cell.count, unseen: counted.unseen + cell.unseen });
  }
  return groups;
}

const sum = (all: Counted[], what: keyof Counted): number => all.reduce((total, one) => total + one[what], 0);

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

/** Not a span of the counts: the rows themselves. */
export const ROWS = -1;

/**
 * Counts of a range of time are put together from whole days, whole hours at its ends, and the rows of the hours that it cuts
 * into: at most 48 hours and two cut ones, however long the range is.
 */
export function splitRange(from: number, to: number): { span: number; low: number; high: number }[] {
  if (from >= to) {
    return [];
  }
  const parts: { span: number; low: number; high: number }[] = [];
  const add = (span: number, low: number, high: number): void => void (low < high && parts.push({ span, low, high }));
  const up = (ts: number, unit: number): number => Math.min(Math.ceil(ts / unit) * unit, to);
  const down = (ts: number, unit: number): number => Math.max(Math.floor(ts / unit) * unit, from);
  const [hourLow, dayLow] = [up(from, HOUR_MS), up(from, DAY_MS)];
  const [dayHigh, hourHigh] = [Math.max(down(to, DAY_MS), dayLow), Math.max(down(to, HOUR_MS), hourLow)];
  add(ROWS, from, hourLow);
  add(HOURS, hourLow, Math.min(dayLow, hourHigh));
  add(DAYS, dayLow, dayHigh);
  add(HOURS, Math.max(dayHigh, Math.min(dayLow, hourHigh)), hourHigh);
  add(ROWS, hourHigh, to);
  return parts;
}


async function cellsFromCounts(db: Database, filter: NotificationFilter): Promise<{ cells: Cell[]; exact: boolean }> {
  const threads = isThreadView(filter);
  const scope = threads ? THREADS : NOTIFICATIONS;
  const unbounded = filter.from === undefined && filter.to === undefined;
  const parts = unbounded ? [{ span: EVER, low: 0, high: 1 }] : splitRange(filter.from ?? 0, filter.to ?? FAR);
  const sources = parts.map(({ span, low, high }) => {
    const unit = span === DAYS ? DAY_MS : span === HOURS ? HOUR_MS : 1;
    return span === ROWS
      ? rowsSource(threads, low, high)
      : sql`select ${KINDS}, n from counts where scope = ${scope} and span = ${span} and slot >= ${low / unit} and slot < ${high / unit}`;
  });
  if (sources.length === 0) {
    return { cells: [], exact: true };
  }
  const { rows } = await sql<Cell>`select category, dnp_name, sum(n) as count, sum(case when seen = 0 then n else 0 end) as unseen
    from (${sql.join(sources, sql` union all `)}) source where ${sql.join(countConditions(filter, threads), sql` and `)}
    group by category, dnp_name having sum(n) > 0`.execute(db);
  return { cells: rows, exact: true };
}

/** The year 5138: after every notification, and a whole number of days. */
const FAR = 100_000_000_000_000 - (100_000_000_000_000 % DAY_MS);

const KINDS = sql`hidden, muted, seen, category, dnp_name, priority, state, banner`;

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

async function cellsFromRows(db: Database, filter: NotificationFilter, now: number): Promise<{ cells: Cell[]; exact: boolean }> {
  const threads = isThreadView(filter);
  const rows = await selectMatching(db, { filter, now, limit: MAX_COUNTED })
    .select(['n.category as category', 'n.dnp_name as dnp_name', 'n.seen as seen', 't.unseen as thread_unseen'])
    .execute();
  const cells = new Map<string, Cell>();
  for (const { category, dnp_name, seen, thread_unseen } of rows) {
    const key = JSON.stringify([category, dnp_name]);
    const cell = cells.get(key) ?? { category, dnp_name, count: 0, unseen: 0 };
    cell.count += 1;
    cell.unseen += (threads ? thread_unseen > 0 : seen === 0) ? 1 : 0;
    cells.set(key, cell);
  }
  return { cells: [...cells.values()], exact: rows.length < MAX_COUNTED };
}

/** Open threads by category and priority: few, so they are read, from their index; stale ones are left out. */
async function openThreads(db: Database, filter: NotificationFilter, now: number): Promise<{ category: string; priority: number; n: number }[]> {
  if (filter.open === false || filter.errors === 'only' || filter.muted === 'true' || filter.status?.length === 1 && filter.status[0] === 'resolved') {
    return [];
  }
  const { q, correlationId, ...rest } = filter;
  if (q !== undefined || correlationId !== undefined) {
    const rows = await selectMatching(db, { filter: { ...filter, latest: true, open: true, category: undefined }, now, limit: MAX_COUNTED })
      .select(['t.category as category', 't.priority as priority'])
      .execute();
    return rows.map((row) => ({ ...row, n: 1 }));
  }
  const conditions = [sql<boolean>`t.head_id is not null`, isOpen(now), ...plainConditions(rest)];
  const { rows } = await sql<{ category: string; priority: number; n: number }>`select t.category, t.priority, count(*) as n
    from threads t where ${sql.join(conditions, sql` and `)} group by 1, 2`.execute(db);
  return rows;
}

/** No index but that of open threads shall be thought of. */
function plainConditions(filter: NotificationFilter): RawBuilder<boolean>[] {
  const list = (name: string, values: readonly (string | number)[] | undefined): RawBuilder<boolean>[] =>
    values === undefined || values.length === 0 ? [] : [inList(withoutIndex(name), values)];
  const { from, to, seen, isBanner, untilId } = filter;
  return [
    ...list('t.dnp_name', filter.dnpName),
    ...list('t.priority', filter.priority?.map(rankOf)),
    ...(from === undefined ? [] : [sql<boolean>`${withoutIndex('t.head_ts')} >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`${withoutIndex('t.head_ts')} < ${to}`]),
    ...(seen === undefined ? [] : [seen ? sql<boolean>`${withoutIndex('t.unseen')} = 0` : sql<boolean>`${withoutIndex('t.unseen')} > 0`]),
    ...(isBanner === undefined ? [] : [sql<boolean>`${withoutIndex('t.banner')} = ${isBanner ? 1 : 0}`]),
    ...(untilId === undefined ? [] : [sql<boolean>`${withoutIndex('t.head_id')} <= ${untilId}`]),
  ];
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
