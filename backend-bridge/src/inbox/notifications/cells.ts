/** Counts the rows of each category and package that match a filter: from the counts if possible, otherwise from the newest rows. */
import { type RawBuilder, sql } from 'kysely';
import type { NotificationFilter } from '../../../contract/query.ts';
import { DAY_MS } from '../../../contract/time.ts';
import {
  notificationUnread,
  type ReaderId,
  threadUnread,
  unreadNotifications,
  unreadThreads,
} from '../readers/unread.ts';
import { isOfResponses, snoozedThreads } from '../responses/conditions.ts';
import { flagOf, inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { DAYS, EVER, NOTIFICATIONS, THREADS } from './counts.ts';
import { rankOf } from './rows.ts';
import {
  commentedKeys,
  hidesSnoozed,
  isOfFewThreads,
  isOfOwnList,
  isThreadView,
  matchingIds,
  mutedConditions,
  notificationConditions,
  selectMatching,
  type SelectOptions,
  threadConditions,
} from './select.ts';
import { listedName } from './texts.ts';

/** A search, or another filter that the counts do not know, counts at most so many rows. */
const MAX_COUNTED = 2000;

/** Limit for rows of a burst or of nodes, which have indexes of their own. */
const MAX_INDEXED = 20_000;

/** Matching rows of one category and package, and the unseen ones among them. A name that is too long is ''. */
export interface Cell {
  category: string;
  dnp_name: string;
  count: number;
  unseen: number;
}

export interface Cells {
  cells: Cell[];
  /** False when only the newest rows were counted. */
  exact: boolean;
}

/** Counts what matches, and what of it is unread for this reader. */
export async function readCells(
  db: Database,
  filter: NotificationFilter,
  now: number,
  reader?: ReaderId
): Promise<Cells> {
  if (!countable(filter)) {
    return cellsFromRows(db, filter, now, reader);
  }
  const counted = await (reader === undefined ? cellsFromCounts(db, filter) : ownCells(db, filter, now, reader));
  return hidesSnoozed(filter) ? withoutSnoozed(db, counted, { filter, now, reader }) : counted;
}

/** The counts know no snoozes; those are few. */
async function withoutSnoozed(
  db: Database,
  { cells, exact }: Cells,
  { filter, now, reader }: Pick<SelectOptions, 'filter' | 'now' | 'reader'>
): Promise<Cells> {
  const conditions = threadConditions({ ...filter, snoozed: 'all' }, now, reader);
  const { rows } =
    await sql<Cell>`select ${listedName('t.category')} as category, ${listedName('t.dnp_name')} as dnp_name,
      count(*) as count, sum(${flagOf(threadUnread(reader))}) as unseen
    from ${snoozedThreads(reader)} snoozed cross join threads t
    where ${sql.join([sql`t.id = snoozed.thread_id`, ...conditions], sql` and `)} group by 1, 2`.execute(db);
  const hidden = new Map(rows.map((row) => [JSON.stringify([row.category, row.dnp_name]), row]));
  const left = cells.map((cell) => {
    const { count = 0, unseen = 0 } = hidden.get(JSON.stringify([cell.category, cell.dnp_name])) ?? {};
    return { ...cell, count: cell.count - count, unseen: cell.unseen - unseen };
  });
  return { cells: left.filter(({ count }) => count > 0), exact };
}

function countable(filter: NotificationFilter): boolean {
  return (
    filter.q === undefined &&
    filter.open === undefined &&
    filter.correlationId === undefined &&
    filter.burst === undefined &&
    filter.node === undefined &&
    filter.untilId === undefined &&
    (!isOfResponses(filter) || onlyHides(filter))
  );
}

/** Whether the filter by responses does no more than hide, or show, snoozed threads. */
const onlyHides = ({ acknowledged, assignee, ...filter }: NotificationFilter): boolean =>
  acknowledged === undefined &&
  assignee === undefined &&
  (filter.snoozed === 'all' || (filter.snoozed === 'false' && isThreadView(filter)));

/** Not a span of the counts: the rows themselves. */
export const ROWS = -1;

/** Counts of a range of time are put together from its whole days, and the rows of the two days that it cuts into. */
export function splitRange(from: number, to: number): { span: number; low: number; high: number }[] {
  if (from >= to) {
    return [];
  }
  const dayLow = Math.min(Math.ceil(from / DAY_MS) * DAY_MS, to);
  const dayHigh = Math.max(Math.floor(to / DAY_MS) * DAY_MS, dayLow);
  return [
    { span: ROWS, low: from, high: dayLow },
    { span: DAYS, low: dayLow, high: dayHigh },
    { span: ROWS, low: dayHigh, high: to },
  ].filter(({ low, high }) => low < high);
}

/** All are counted from the counts, which know no readers; the unread ones from the reader's list, which is short. */
async function ownCells(
  db: Database,
  { read, ...filter }: NotificationFilter,
  now: number,
  reader: number
): Promise<Cells> {
  const { cells: all, exact } = await cellsFromCounts(db, filter, OTHERS_UNSEEN);
  // Everything is counted, so the join condition is one of the others.
  const source = isThreadView(filter)
    ? sql`${unreadThreads(reader)} own cross join threads t where
        ${sql.join([sql`t.id = own.thread_id`, ...threadConditions(filter, now, reader)], sql` and `)}`
    : sql`${unreadNotifications(reader)} own cross join notifications n where
        ${sql.join([sql`n.id = own.id`, ...notificationConditions(filter, reader)], sql` and `)}`;
  const [category, dnpName] = isThreadView(filter)
    ? [listedName('t.category'), listedName('t.dnp_name')]
    : [listedName('n.category'), listedName('n.dnp_name')];
  const { rows } = await sql<
    Omit<Cell, 'unseen'>
  >`select ${category} as category, ${dnpName} as dnp_name, count(*) as count from ${source} group by 1, 2`.execute(db);
  const own = new Map(rows.map(({ category, dnp_name, count }) => [JSON.stringify([category, dnp_name]), count]));
  const cells = all.map((cell): Cell => {
    const unseen = cell.unseen + (own.get(JSON.stringify([cell.category, cell.dnp_name])) ?? 0);
    const count = read === undefined ? cell.count : read ? cell.count - unseen : unseen;
    return { ...cell, count, unseen: read === true ? 0 : unseen };
  });
  return { cells: cells.filter(({ count }) => count > 0), exact };
}

const UNSEEN = sql`seen = 0`;
/** Muted notifications and those with errors are in no reader's list: they have the shared state only. */
const OTHERS_UNSEEN = sql`seen = 0 and (muted = 1 or hidden = 1)`;

async function cellsFromCounts(
  db: Database,
  filter: NotificationFilter,
  unseen: RawBuilder<unknown> = UNSEEN
): Promise<Cells> {
  const threads = isThreadView(filter);
  const scope = threads ? THREADS : NOTIFICATIONS;
  const unbounded = filter.from === undefined && filter.to === undefined;
  const parts = unbounded ? [{ span: EVER, low: 0, high: 1 }] : splitRange(filter.from ?? 0, filter.to ?? FAR);
  const sources = parts.map(({ span, low, high }) => {
    const unit = span === DAYS ? DAY_MS : 1;
    return span === ROWS
      ? rowsSource(threads, low, high)
      : sql`select ${KINDS}, n from counts where scope = ${scope} and span = ${span} and slot >= ${low / unit} and slot < ${high / unit}`;
  });
  if (sources.length === 0) {
    return { cells: [], exact: true };
  }
  const { rows } =
    await sql<Cell>`select ${listedName('category')} as category, ${listedName('dnp_name')} as dnp_name, sum(n) as count,
    sum(case when ${unseen} then n else 0 end) as unseen
    from (${sql.join(sources, sql` union all `)}) as source where ${sql.join(countConditions(filter, threads), sql` and `)}
    group by 1, 2 having sum(n) > 0`.execute(db);
  return { cells: rows, exact: true };
}

/** The year 5138: after every notification, and a whole number of days. */
const FAR = 100_000_000_000_000 - (100_000_000_000_000 % DAY_MS);

const KINDS = sql`hidden, muted, seen, category, dnp_name, priority, state, banner`;

function rowsSource(threads: boolean, from: number, to: number): RawBuilder<unknown> {
  return threads
    ? sql`select 0 as hidden, 0 as muted, ${flagOf(sql`unseen = 0`)} as seen, category, dnp_name, priority, state, banner, 1 as n
        from threads where head_id is not null and head_ts >= ${from} and head_ts < ${to}`
    : sql`select hidden, muted, seen, category, dnp_name, priority, status as state, banner, 1 as n
        from notifications where ts >= ${from} and ts < ${to}`;
}

function countConditions(filter: NotificationFilter, threads: boolean): RawBuilder<boolean>[] {
  const errors = filter.errors ?? 'hidden';
  const list = (name: string, values: readonly (string | number)[] | undefined): RawBuilder<boolean>[] =>
    values === undefined || values.length === 0 ? [] : [inList(sql.ref(name), values)];
  const is = (name: string, value: boolean | undefined): RawBuilder<boolean>[] =>
    value === undefined ? [] : [sql<boolean>`${sql.ref(name)} = ${value ? 1 : 0}`];
  const resolved = filter.status?.length === 1 ? filter.status[0] === 'resolved' : undefined;
  return [
    sql<boolean>`1 = 1`,
    ...is('hidden', errors === 'all' ? undefined : errors === 'only'),
    ...(threads ? [] : mutedConditions(filter, 'muted', 'state')),
    ...list('category', filter.category),
    ...list('dnp_name', filter.dnpName),
    ...list('priority', filter.priority?.map(rankOf)),
    ...is('seen', filter.seen),
    ...is('seen', filter.read),
    ...is('banner', filter.isBanner),
    ...(resolved === undefined
      ? []
      : [resolved ? sql<boolean>`state = 'resolved'` : sql<boolean>`state <> 'resolved'`]),
  ];
}

async function cellsFromRows(db: Database, filter: NotificationFilter, now: number, reader: ReaderId): Promise<Cells> {
  const unread = isThreadView(filter) ? threadUnread(reader) : notificationUnread(reader);
  const isIndexed = filter.q === undefined && (filter.burst || filter.node);
  const most = isIndexed ? MAX_INDEXED : MAX_COUNTED;
  const options = { filter, reader, now, limit: most };
  const own = isOfOwnList(options);
  const byIds = own || isOfFewThreads(options) || (await commentedKeys(db, { ...options, limit: 1 })).length > 0;
  const rows = byIds
    ? await rowsById(db, options, own ? sql.lit(true) : unread)
    : await (await selectMatching(db, options)).select(columnsWith(unread)).execute();
  const cells = new Map<string, Cell>();
  for (const { category, dnp_name, unread } of rows) {
    const key = JSON.stringify([category, dnp_name]);
    const cell = cells.get(key) ?? { category, dnp_name, count: 0, unseen: 0 };
    cell.count += 1;
    cell.unseen += Number(unread);
    cells.set(key, cell);
  }
  return { cells: [...cells.values()], exact: rows.length < most };
}

const columnsWith = (unread: RawBuilder<boolean>) =>
  [
    listedName('n.category').as('category'),
    listedName('n.dnp_name').as('dnp_name'),
    flagOf(unread).as('unread'),
  ] as const;

/** Rows in the order of {@link matchingIds}. */
async function rowsById(db: Database, options: SelectOptions, unread: RawBuilder<boolean>) {
  const ids = await matchingIds(db, options);
  return db
    .selectFrom('notifications as n')
    .innerJoin('threads as t', 't.id', 'n.thread_id')
    .select(columnsWith(unread))
    .where(inList(sql.ref('n.id'), ids))
    .execute();
}
