/**
 * Lists with one row for each burst. The threads that are in none are found as in any list; to them come the bursts, each at the place of
 * its newest thread that matches. A burst is open, or unread, while one of its matching threads is, so it is in one part of the inbox.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Thread } from '../../../contract/notification.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import { type ReaderId, unreadThreads } from '../readers/unread.ts';
import { flagOf, inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { priorityOf } from './rows.ts';
import { conditions, every, isOpen, isThreadView, threadsOf } from './filter.ts';
import { matching, type PageKey, type SelectOptions } from './select.ts';

/** A filter of a list. */
export type ListFilter = NotificationFilter & { bursts?: 'expanded' | 'collapsed' | undefined };

/** A search is in the order of its index, and looks at each notification. */
export const isCollapsed = ({ bursts, q, burst, ...filter }: ListFilter): boolean =>
  bursts === 'collapsed' && burst === undefined && q === undefined && isThreadView(filter);

/** The newest rows that match: {@link matching}, with one for each burst. */
export async function collapsed(db: Database, options: SelectOptions): Promise<PageKey[]> {
  const [others, bursts] = await Promise.all([
    matching(db, { ...options, filter: { ...options.filter, burst: 0 } }),
    burstKeys(db, options),
  ]);
  return [...others, ...bursts].sort((a, b) => b.ts - a.ts || b.id - a.id).slice(0, options.limit);
}

/** Without what is true of a burst as a whole. */
const ofThreads = ({ open: _open, read: _read, seen: _seen, untilId: _until, ...filter }: NotificationFilter) => filter;

const onlyIf = <T>(value: T | undefined, wanted: T): T | undefined => (value === wanted ? value : undefined);

async function burstKeys(db: Database, options: SelectOptions): Promise<PageKey[]> {
  const { filter, reader, now, after, limit } = options;
  const { open, read, seen, untilId } = filter;
  const shown = {
    ...ofThreads(filter),
    open: onlyIf(open, true),
    read: onlyIf(read, false),
    seen: onlyIf(seen, false),
  };
  const { rows } = await sql<PageKey>`select n.ts as ts, n.id as id from (
      select (select t.head_id from threads t where t.burst = b.id and ${every(conditions(shown, threadsOf(shown), { now, reader }))}
        order by t.head_ts desc, t.head_id desc limit 1) as head
      from bursts b where ${every(await burstConditions(db, options))}) newest
    cross join notifications n where n.id = newest.head
      ${untilId === undefined ? sql`` : sql`and n.id <= ${untilId}`}
      ${after === undefined ? sql`` : sql`and (n.ts, n.id) < (${after.ts}, ${after.id})`}
    order by n.ts desc, n.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Conditions of bursts that can have a row: `b`. */
async function burstConditions(db: Database, { filter, reader, now }: SelectOptions): Promise<RawBuilder<boolean>[]> {
  const { open, read, seen, category, dnpName } = filter;
  const narrow = ofThreads(filter);
  const none = (condition: RawBuilder<boolean>): RawBuilder<boolean> =>
    sql<boolean>`not exists (select 1 from threads t where t.burst = b.id and ${condition} and ${every(conditions(narrow, threadsOf(narrow), { now, reader }))})`;
  const allSeen = seen === true || (read === true && reader === undefined);
  return [
    sql<boolean>`1 = 1`,
    ...(category?.length ? [inList('b.category', category)] : []),
    ...(dnpName?.length ? [inList('b.dnp_name', dnpName)] : []),
    ...(open === false ? [none(isOpen(now))] : []),
    ...(allSeen ? [none(sql<boolean>`t.unseen > 0`)] : []),
    ...(reader === undefined || read === undefined ? [] : [await byReader(db, { filter: narrow, reader, now }, read)]),
  ];
}

/** Whether the reader has read all threads of the burst. */
async function byReader(db: Database, own: Own, read: boolean): Promise<RawBuilder<boolean>> {
  const unread = inList('b.id', [...(await ownUnread(db, own)).keys()]);
  return read ? sql<boolean>`not (${unread})` : unread;
}

interface Own {
  filter: NotificationFilter;
  reader: number;
  now: number;
}

/** Number of unread threads of each burst: from the reader's list, which is short. */
async function ownUnread(db: Database, { filter, reader, now }: Own): Promise<Map<number, number>> {
  const { rows } = await sql<{ burst: number; n: number }>`select t.burst as burst, count(*) as n
    from ${unreadThreads(reader)} own cross join threads t
    where t.id = own.thread_id and t.burst is not null and ${every(conditions(filter, threadsOf(filter), { now, reader }))}
    group by t.burst`.execute(db);
  return new Map(rows.map(({ burst, n }) => [burst, n]));
}

type Figures = Required<Pick<NonNullable<Thread['burst']>, 'count' | 'open' | 'unread' | 'priority'>>;

/** Figures for the rows of these bursts, by burst. */
export async function burstFigures(
  db: Database,
  bursts: readonly number[],
  { filter, reader, now }: { filter: NotificationFilter; reader: ReaderId; now: number }
): Promise<Map<number, Figures>> {
  if (bursts.length === 0) {
    return new Map();
  }
  const narrow = ofThreads(filter);
  const own = reader === undefined ? undefined : await ownUnread(db, { filter: narrow, reader, now });
  const { rows } = await sql<{ burst: number; count: number; open: number; unseen: number; priority: number }>`
    select t.burst as burst, count(*) as count, sum(${flagOf(isOpen(now))}) as open,
      sum(${flagOf(sql<boolean>`t.unseen > 0`)}) as unseen, max(t.priority) as priority
    from threads t where ${inList('t.burst', bursts)} and ${every(conditions(narrow, threadsOf(narrow), { now, reader }))}
    group by t.burst`.execute(db);
  return new Map(
    rows.map(({ burst, count, open, unseen, priority }) => [
      burst,
      { count, open, unread: own ? (own.get(burst) ?? 0) : unseen, priority: priorityOf(priority) },
    ])
  );
}
