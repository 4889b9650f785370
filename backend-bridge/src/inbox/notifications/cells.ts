/** Counts the rows of each category and package that match a filter: from the counts if possible, otherwise from the newest rows. */
import { type RawBuilder, sql } from 'kysely';
import type { NotificationFilter } from '../../../contract/query.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { type ReaderId, threadUnread, unreadNotifications, unreadThreads } from '../readers/unread.ts';
import { isOfResponses, snoozedThreads } from '../responses/conditions.ts';
import { flagOf } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { DAYS, EVER, NOTIFICATIONS, THREADS } from './counts.ts';
import {
  conditions,
  counted,
  every,
  hidesSnoozed,
  isRead,
  isThreadView,
  threadsOf,
  type View,
  type Viewer,
  viewOf,
} from './filter.ts';
import { matchingRows } from './select.ts';
import { listedName } from './texts.ts';

/** A search, or another filter that the counts do not know, counts at most so many rows. */
const MAX_COUNTED = 2000;

/** Limit for rows of a burst or of nodes, which have indexes of their own, for rows grouped by a label, and for its values. */
export const MAX_INDEXED = 20_000;

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
  { filter, ...viewer }: Viewer & { filter: NotificationFilter }
): Promise<Cells> {
  const { reader } = viewer;
  const all = { ...filter, snoozed: 'all' as const };
  const narrowed = [sql<boolean>`t.id = snoozed.thread_id`, ...conditions(all, threadsOf(all), viewer)];
  const { rows } =
    await sql<Cell>`select ${listedName('t.category')} as category, ${listedName('t.dnp_name')} as dnp_name,
      count(*) as count, sum(${flagOf(threadUnread(reader))}) as unseen
    from ${snoozedThreads(reader)} snoozed cross join threads t
    where ${every(narrowed)} group by 1, 2`.execute(db);
  const hidden = new Map(rows.map((row) => [JSON.stringify([row.category, row.dnp_name]), row]));
  const left = cells.map((cell) => {
    const { count = 0, unseen = 0 } = hidden.get(JSON.stringify([cell.category, cell.dnp_name])) ?? {};
    return { ...cell, count: cell.count - count, unseen: cell.unseen - unseen };
  });
  return { cells: left.filter(({ count }) => count > 0), exact };
}

/** Whether the counts know all that the filter asks for. */
export function countable(filter: NotificationFilter): boolean {
  return (
    filter.q === undefined &&
    filter.open === undefined &&
    filter.correlationId === undefined &&
    filter.burst === undefined &&
    filter.node === undefined &&
    filter.matchers === undefined &&
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
  const view = viewOf(filter);
  const narrowed = every(conditions(filter, view, { now, reader }));
  const source = isThreadView(filter)
    ? sql`${unreadThreads(reader)} own cross join threads t where t.id = own.thread_id and ${narrowed}`
    : sql`${unreadNotifications(reader)} own cross join notifications n where n.id = own.id and ${narrowed}`;
  const [category, dnpName] = [listedName(view.category), listedName(view.dnpName)];
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
    from (${sql.join(sources, sql` union all `)}) as source where ${every(conditions(filter, counted(threads), { now: 0 }))}
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

/** The newest rows that match, as many as are counted. `unread`: 0 or 1. */
export async function countedRows<T extends object>(
  db: Database,
  { filter, most, ...viewer }: Viewer & { filter: NotificationFilter; most?: number },
  columns: (view: View) => RawBuilder<unknown>[]
) {
  const isIndexed = filter.q === undefined && (filter.burst || filter.node);
  const limit = most ?? (isIndexed ? MAX_INDEXED : MAX_COUNTED);
  const rows = await matchingRows<T & { unread: number }>(db, { filter, ...viewer, limit }, (view, isUnread) => [
    ...columns(view),
    sql`${isUnread ? sql.lit(1) : flagOf(isRead(false, view, viewer.reader))} as unread`,
  ]);
  return { rows, exact: rows.length < limit };
}

async function cellsFromRows(db: Database, filter: NotificationFilter, now: number, reader: ReaderId): Promise<Cells> {
  const { rows, exact } = await countedRows<Pick<Cell, 'category' | 'dnp_name'>>(
    db,
    { filter, reader, now },
    (view) => [sql`${listedName(view.category)} as category`, sql`${listedName(view.dnpName)} as dnp_name`]
  );
  const cells = new Map<string, Cell>();
  for (const { category, dnp_name, unread } of rows) {
    const key = JSON.stringify([category, dnp_name]);
    const cell = cells.get(key) ?? { category, dnp_name, count: 0, unseen: 0 };
    cell.count += 1;
    cell.unseen += unread;
    cells.set(key, cell);
  }
  return { cells: [...cells.values()], exact };
}
