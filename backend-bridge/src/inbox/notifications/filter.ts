/** Compiles a filter to SQL conditions, for each view of the inbox. */
import { type RawBuilder, sql } from 'kysely';
import { STALE_AFTER_MS } from '../../../contract/notification.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import { notificationUnread, type ReaderId, threadUnread } from '../readers/unread.ts';
import type { LabelSets } from '../labels/match.ts';
import { isOfFew, responseConditions } from '../responses/conditions.ts';
import { inList, withoutIndex } from '../../platform/storage/bulk.ts';
import { rankOf } from './rows.ts';

export type Condition = RawBuilder<boolean>;
type At = (name: string) => RawBuilder<unknown>;

/** A filter, the label sets of its matchers, and the threads that are left out of this part of a list: they are in another. */
export type Selection = NotificationFilter & {
  labelSets?: LabelSets | undefined;
  without?: readonly number[];
};

/** Columns of a view. A view without a column ignores that part of a filter. */
export interface View {
  category: string;
  dnpName: string;
  priority: string;
  /** Status of a notification, or state of a thread. */
  status: string;
  banner: string;
  node?: string;
  ts?: string;
  id?: string;
  /** Id of the thread. */
  thread?: string;
  labelSet?: string;
  muted?: string;
  hidden?: string;
  /** Conditions of every row. */
  rows?: Condition;
  seen: (seen: boolean) => Condition;
  unread?: (reader: number) => Condition;
  /** A column in a condition, with or without its indexes. Default: with. */
  at?: At;
}

const column = (name: string): RawBuilder<unknown> => sql`${sql.ref(name)}`;
const flag = (value: boolean): RawBuilder<0 | 1> => sql.lit(value ? 1 : 0);

/** Single notifications, `n`; conditions on their threads need `t`. */
export const NOTIFICATIONS: View = {
  category: 'n.category',
  dnpName: 'n.dnp_name',
  priority: 'n.priority',
  status: 'n.status',
  banner: 'n.banner',
  node: 'n.node',
  ts: 'n.ts',
  id: 'n.id',
  thread: 'n.thread_id',
  labelSet: 'n.label_set',
  muted: 'n.muted',
  hidden: 'n.hidden',
  seen: (seen) => sql<boolean>`n.seen = ${flag(seen)}`,
  unread: (reader) => notificationUnread(reader),
};

/** The counts, which are split by day. Those of threads count shown notifications only. */
export const counted = (threads: boolean): View => ({
  category: 'category',
  dnpName: 'dnp_name',
  priority: 'priority',
  status: 'state',
  banner: 'banner',
  hidden: 'hidden',
  ...(!threads && { muted: 'muted' }),
  seen: (seen) => sql<boolean>`seen = ${flag(seen)}`,
});

/** Threads, `t`, each shown by its newest member. @param at see {@link View.at} */
const threads = (at: At): View => ({
  category: 't.category',
  dnpName: 't.dnp_name',
  priority: 't.priority',
  status: 't.state',
  banner: 't.banner',
  node: 't.node',
  ts: 't.head_ts',
  id: 't.head_id',
  thread: 't.id',
  labelSet: 't.label_set',
  rows: sql<boolean>`t.head_id is not null`,
  // The shared state in full, because the indexes of read and of unread threads are partial ones.
  seen: (seen) => (seen ? sql<boolean>`${at('t.unseen')} = 0` : sql<boolean>`${at('t.unseen')} > 0`),
  unread: (reader) => threadUnread(reader),
  at,
});
const ALL_THREADS = threads(column);
/** For conditions beside an index that leads. */
export const FEW_THREADS = threads(withoutIndex);

/** Open threads are few: they are found by their own index, whatever else is requested of them. So are those by people. */
export const isFewThreads = (filter: NotificationFilter): boolean => filter.open === true || isOfFew(filter);

export const threadsOf = (filter: NotificationFilter): View => (isFewThreads(filter) ? FEW_THREADS : ALL_THREADS);

/** Threads are shown by their newest member; a search looks at each notification. */
export function isThreadView(filter: NotificationFilter): boolean {
  return filter.latest === true || filter.open !== undefined;
}

export const viewOf = (filter: NotificationFilter): View => (isThreadView(filter) ? threadsOf(filter) : NOTIFICATIONS);

/** Lists of threads hide what is snoozed, unless requested; a search finds it. */
export const hidesSnoozed = (filter: NotificationFilter): boolean =>
  filter.snoozed === 'false' || (filter.snoozed === undefined && isThreadView(filter) && !filter.q?.trim());

/** Open, and not stale. Written so that the index of open threads serves it. */
export function isOpen(now: number): Condition {
  return sql<boolean>`t.state = 'open' and t.last_ts > ${now - STALE_AFTER_MS}`;
}

export const every = (conditions: readonly Condition[]): Condition => sql<boolean>`${sql.join(conditions, sql` and `)}`;

/** Whose state `read` and `snoozed` mean (undefined: the shared one), and the time, UTC milliseconds. */
export interface Viewer {
  reader?: ReaderId;
  now: number;
}

/** Conditions on the rows of a view, at least one. The text of a search is no part of them. */
export function conditions(filter: Selection, view: View, { reader, now }: Viewer): Condition[] {
  const at = view.at ?? column;
  const { burst, open, read, seen, without } = filter;
  return [
    view.rows ?? sql<boolean>`1 = 1`,
    ...shown(filter, view),
    ...among(view.category, filter.category, at),
    ...among(view.dnpName, filter.dnpName, at),
    ...nodes(view.node, filter, at),
    ...priorities(view.priority, filter, at),
    ...statuses(at(view.status), filter),
    ...among('t.correlation_id', filter.correlationId, at),
    ...(burst === undefined ? [] : [burst === 0 ? sql<boolean>`t.burst is null` : sql<boolean>`t.burst = ${burst}`]),
    ...labelled(view.labelSet, filter),
    ...between(view.ts, filter, at),
    ...(seen === undefined ? [] : [view.seen(seen)]),
    ...(read === undefined ? [] : [isRead(read, view, reader)]),
    ...(filter.isBanner === undefined ? [] : [sql<boolean>`${at(view.banner)} = ${flag(filter.isBanner)}`]),
    ...(view.thread === undefined ? [] : responses(filter, view.thread, reader)),
    ...(without?.length ? [sql<boolean>`not (${inList('t.id', without)})`] : []),
    ...(open === undefined ? [] : open ? [isOpen(now)] : [sql<boolean>`not (${isOpen(now)})`]),
    ...(filter.untilId === undefined || view.id === undefined
      ? []
      : [sql<boolean>`${withoutIndex(view.id)} <= ${filter.untilId}`]),
  ];
}

const responses = (filter: NotificationFilter, thread: string, reader: ReaderId): Condition[] =>
  responseConditions(hidesSnoozed(filter) ? { ...filter, snoozed: 'false' } : filter, thread, reader);

/**
 * Muted notifications are excluded by default, except in a list of errors. A list of banners includes muted resolves: DAppNode's
 * client would otherwise keep showing the banner.
 */
function shown({ muted, errors = 'hidden', isBanner }: NotificationFilter, view: View): Condition[] {
  const hides = view.hidden === undefined || errors === 'all';
  const hidden = hides ? [] : [sql<boolean>`${column(view.hidden!)} = ${flag(errors === 'only')}`];
  if (view.muted === undefined || muted === 'all' || (muted === undefined && errors === 'only')) {
    return hidden;
  }
  const isMuted = column(view.muted);
  return muted === undefined && isBanner === true
    ? [sql<boolean>`(${isMuted} = 0 or ${column(view.status)} = 'resolved')`, ...hidden]
    : [sql<boolean>`${isMuted} = ${flag(muted === 'true')}`, ...hidden];
}

/** Equality for one value keeps the order of the index; several values would have to be sorted, so they only filter. */
function among(name: string, values: readonly (string | number)[] | undefined, at: At): Condition[] {
  if (values === undefined || values.length === 0) {
    return [];
  }
  return values.length === 1 ? [sql<boolean>`${at(name)} = ${values[0]}`] : [inList(withoutIndex(name), values)];
}

/** `priority > 0` is said in full, because the index of the rarer priorities is a partial one. */
function priorities(name: string, filter: NotificationFilter, at: At): Condition[] {
  const ranks = filter.priority?.map(rankOf);
  const rare = ranks !== undefined && ranks.length > 0 && !ranks.includes(0);
  return [...among(name, ranks, at), ...(rare ? [sql<boolean>`${at(name)} > 0`] : [])];
}

/** Said in full, because the indexes hold only what has a node. */
function nodes(name: string | undefined, { node }: NotificationFilter, at: At): Condition[] {
  if (name === undefined) {
    return [];
  }
  const named = node !== undefined && node.length > 0 && !node.includes('');
  return [...among(name, node, at), ...(named ? [sql<boolean>`${at(name)} <> ''`] : [])];
}

/** @throws if the matchers were not looked up: nothing would be filtered by them */
function labelled(name: string | undefined, { matchers, labelSets }: Selection): Condition[] {
  if (matchers && labelSets === undefined) {
    throw new Error('The label sets of the matchers are not known: see withLabelSets.');
  }
  if (name === undefined || labelSets === undefined) {
    return [];
  }
  const listed = inList(withoutIndex(name), labelSets.ids);
  return [labelSets.isExcluded ? sql<boolean>`not (${listed})` : listed];
}

function statuses(status: RawBuilder<unknown>, filter: NotificationFilter): Condition[] {
  if (filter.status?.length !== 1) {
    return [];
  }
  return [
    filter.status[0] === 'resolved' ? sql<boolean>`${status} = 'resolved'` : sql<boolean>`${status} <> 'resolved'`,
  ];
}

function between(name: string | undefined, { from, to }: NotificationFilter, at: At): Condition[] {
  if (name === undefined) {
    return [];
  }
  return [
    ...(from === undefined ? [] : [sql<boolean>`${at(name)} >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`${at(name)} < ${to}`]),
  ];
}

/** Whether a row is read by this reader; undefined: by anybody. */
export function isRead(read: boolean, view: View, reader: ReaderId): Condition {
  if (reader === undefined || view.unread === undefined) {
    return view.seen(read);
  }
  return read ? sql<boolean>`not (${view.unread(reader)})` : view.unread(reader);
}
