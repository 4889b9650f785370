/**
 * Selects notifications by a filter. Two views: single notifications (`n`), or threads (`t`), each shown by its newest member. Both return
 * the newest first, page by page from a key, never by offset.
 */
import { type ExpressionBuilder, type RawBuilder, type ReferenceExpression, sql } from 'kysely';
import { STALE_AFTER_MS } from '../../../contract/notification.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import {
  notificationUnread,
  type ReaderId,
  threadUnread,
  unreadNotifications,
  unreadThreads,
} from '../readers/unread.ts';
import { isOfFew, responseConditions } from '../responses/conditions.ts';
import { commentedThreads } from '../responses/store.ts';
import { aliasByIndex, inList, likely, textSearch, withoutIndex } from '../../platform/storage/bulk.ts';
import { type Database, engineOf } from '../../platform/storage/engine.ts';
import { wordsOf } from '../../platform/storage/words.ts';
import type { NotificationRow, Schema, ThreadRow } from '../../platform/storage/schema.ts';
import { rankOf } from './rows.ts';

/** The last row of a page: the next page starts after it. For a search only the id counts. */
export interface PageKey {
  ts: number;
  id: number;
}

interface Joined {
  n: NotificationRow;
  t: ThreadRow;
}
type Condition = RawBuilder<boolean>;

/** Threads are shown by their newest member; a search looks at each notification. */
export function isThreadView(filter: NotificationFilter): boolean {
  return filter.latest === true || filter.open !== undefined;
}

/** A filter, and the threads that are left out of this part of a list: they are in another. */
export type Selection = NotificationFilter & { without?: readonly number[] };

/** Lists of threads hide what is snoozed, unless requested; a search finds it. */
export const hidesSnoozed = (filter: NotificationFilter): boolean =>
  filter.snoozed === 'false' || (filter.snoozed === undefined && isThreadView(filter) && !filter.q?.trim());

export const responses = (filter: NotificationFilter, thread: string, reader: ReaderId): Condition[] =>
  responseConditions(hidesSnoozed(filter) ? { ...filter, snoozed: 'false' } : filter, thread, reader);

const column = (name: string): RawBuilder<unknown> => sql`${sql.ref(name)}`;

/** Equality for one value keeps the order of the index; several values would have to be sorted, so they only filter. */
function among(name: string, values: readonly (string | number)[] | undefined, at = column): Condition[] {
  if (values === undefined || values.length === 0) {
    return [];
  }
  return values.length === 1 ? [sql<boolean>`${at(name)} = ${values[0]}`] : [inList(withoutIndex(name), values)];
}

function is(name: string, value: boolean | undefined): Condition[] {
  return value === undefined ? [] : [sql<boolean>`${column(name)} = ${value ? 1 : 0}`];
}

function between(name: string, filter: NotificationFilter, at = column): Condition[] {
  return [
    ...(filter.from === undefined ? [] : [sql<boolean>`${at(name)} >= ${filter.from}`]),
    ...(filter.to === undefined ? [] : [sql<boolean>`${at(name)} < ${filter.to}`]),
  ];
}

/**
 * Muted notifications are excluded by default, except in a list of errors. A list of banners includes muted resolves: DAppNode's
 * client would otherwise keep showing the banner.
 */
export function mutedConditions(
  { muted, errors, isBanner }: NotificationFilter,
  mutedColumn: string,
  statusColumn: string
): Condition[] {
  if (muted === 'all' || (muted === undefined && errors === 'only')) {
    return [];
  }
  if (muted === undefined && isBanner === true) {
    return [sql<boolean>`(${column(mutedColumn)} = 0 or ${column(statusColumn)} = 'resolved')`];
  }
  return [sql<boolean>`${column(mutedColumn)} = ${sql.lit(muted === 'true' ? 1 : 0)}`];
}

export function notificationConditions(filter: NotificationFilter, reader: ReaderId): Condition[] {
  const errors = filter.errors ?? 'hidden';
  return [
    ...mutedConditions(filter, 'n.muted', 'n.status'),
    ...(errors === 'all' ? [] : [sql<boolean>`n.hidden = ${sql.lit(errors === 'only' ? 1 : 0)}`]),
    ...among('n.category', filter.category),
    ...among('n.dnp_name', filter.dnpName),
    ...nodes('n.node', filter),
    ...priorities('n.priority', filter),
    ...(filter.status?.length === 1 ? [sql<boolean>`n.status = ${sql.lit(filter.status[0])}`] : []),
    ...among('t.correlation_id', filter.correlationId),
    ...inBurst(filter),
    ...between('n.ts', filter),
    ...is('n.seen', filter.seen),
    ...unreadOr(notificationUnread(reader), filter.read),
    ...(filter.isBanner === undefined ? [] : [sql<boolean>`n.banner = ${sql.lit(filter.isBanner ? 1 : 0)}`]),
    ...responses(filter, 'n.thread_id', reader),
    ...(filter.untilId === undefined ? [] : [sql<boolean>`${withoutIndex('n.id')} <= ${filter.untilId}`]),
  ];
}

/** No condition if `read` is undefined. */
function unreadOr(unread: Condition, read: boolean | undefined): Condition[] {
  return read === undefined ? [] : [read ? sql<boolean>`not (${unread})` : unread];
}

/** `priority > 0` is said in full, because the index of the rarer priorities is a partial one. */
function priorities(name: string, filter: NotificationFilter, at = column): Condition[] {
  const ranks = filter.priority?.map(rankOf);
  const rare = ranks !== undefined && ranks.length > 0 && !ranks.includes(0);
  return [...among(name, ranks, at), ...(rare ? [sql<boolean>`${at(name)} > 0`] : [])];
}

/** Said in full, because the indexes hold only what has a node. */
function nodes(name: string, { node }: NotificationFilter, at = column): Condition[] {
  const named = node !== undefined && node.length > 0 && !node.includes('');
  return [...among(name, node, at), ...(named ? [sql<boolean>`${at(name)} <> ''`] : [])];
}

export function inBurst({ burst }: NotificationFilter): Condition[] {
  if (burst === undefined) {
    return [];
  }
  return [burst === 0 ? sql<boolean>`t.burst is null` : sql<boolean>`t.burst = ${burst}`];
}

/** Open, and not stale. Written so that the index of open threads serves it. */
export function isOpen(now: number): Condition {
  return sql<boolean>`t.state = 'open' and t.last_ts > ${now - STALE_AFTER_MS}`;
}

export function threadConditions(filter: Selection, now: number, reader: ReaderId): Condition[] {
  // Open threads are few: they are found by their own index, whatever else is requested of them. So are those by people.
  const few = filter.open === true || isOfFew(filter);
  const at = (name: string): RawBuilder<unknown> => (few ? withoutIndex(name) : column(name));
  return [
    sql<boolean>`t.head_id is not null`,
    ...among('t.category', filter.category, at),
    ...among('t.dnp_name', filter.dnpName, at),
    ...nodes('t.node', filter, at),
    ...priorities('t.priority', filter, at),
    ...threadStatus(filter, at('t.state')),
    ...among('t.correlation_id', filter.correlationId, at),
    ...inBurst(filter),
    ...between('t.head_ts', filter, at),
    ...(filter.seen === undefined
      ? []
      : [filter.seen ? sql<boolean>`${at('t.unseen')} = 0` : sql<boolean>`${at('t.unseen')} > 0`]),
    ...unreadThreadOr(reader, filter.read, at('t.unseen')),
    ...(filter.isBanner === undefined ? [] : [sql<boolean>`${at('t.banner')} = ${sql.lit(filter.isBanner ? 1 : 0)}`]),
    ...responses(filter, 't.id', reader),
    ...(filter.without?.length ? [sql<boolean>`not (${inList(sql.ref('t.id'), filter.without)})`] : []),
    ...(filter.open === undefined ? [] : filter.open ? [isOpen(now)] : [sql<boolean>`not (${isOpen(now)})`]),
    ...(filter.untilId === undefined ? [] : [sql<boolean>`${withoutIndex('t.head_id')} <= ${filter.untilId}`]),
  ];
}

/** The shared state in full, because the indexes of read and of unread threads are partial ones. */
function unreadThreadOr(reader: ReaderId, read: boolean | undefined, unseen: RawBuilder<unknown>): Condition[] {
  return reader === undefined && read === true
    ? [sql<boolean>`${unseen} = 0`]
    : unreadOr(threadUnread(reader, unseen), read);
}

function threadStatus(filter: NotificationFilter, state: RawBuilder<unknown>): Condition[] {
  if (filter.status?.length !== 1) {
    return [];
  }
  return [filter.status[0] === 'resolved' ? sql<boolean>`${state} = 'resolved'` : sql<boolean>`${state} <> 'resolved'`];
}

export interface SelectOptions {
  filter: Selection;
  /** Reader whose state `read` refers to; undefined: the shared one. */
  reader?: ReaderId;
  now: number;
  after?: PageKey | undefined;
  limit: number;
}

/** The matching rows, newest first, each with its thread: columns of both, by alias `n` and `t`. */
export async function selectMatching(db: Database, { filter, reader, now, after, limit }: SelectOptions) {
  const threads = isThreadView(filter);
  const words = filter.q === undefined ? [] : wordsOf(filter.q);
  const rare = words.length > 0 && (await engineOf(db).isRareText?.(db, words));
  const conditions = threads ? threadConditions(filter, now, reader) : notificationConditions(filter, reader);
  const source = words.length > 0 ? searched(db, words, threads) : threads ? byThread(db) : notificationsOf(db, filter);
  // A text without a word to search for matches nothing, rather than everything.
  const nothing = filter.q !== undefined && filter.q.trim() !== '' && words.length === 0;
  let query = source.where((all: ExpressionBuilder<Schema & Joined, 'n' | 't'>) =>
    all.and([...conditions, ...(nothing ? [sql<boolean>`1 = 0`] : [])])
  );
  const [ts, id] =
    words.length > 0 ? [undefined, 'found.found_id'] : threads ? ['t.head_ts', 't.head_id'] : ['n.ts', 'n.id'];
  if (after) {
    query = query.where(
      ts
        ? sql<boolean>`(${sql.ref(ts)}, ${sql.ref(id)}) < (${after.ts}, ${after.id})`
        : sql<boolean>`${sql.ref(id)} < ${after.id}`
    );
  }
  if (ts) {
    query = query.orderBy(ts as ReferenceExpression<Schema & Joined, 'n' | 't'>, 'desc');
  }
  // An order that no index has.
  const order = rare ? sql`${sql.ref(id)} + 0` : (id as ReferenceExpression<Schema & Joined, 'n' | 't'>);
  return query.orderBy(order, 'desc').limit(limit);
}

function byNotification(db: Database) {
  return db.selectFrom('notifications as n').innerJoin('threads as t', 't.id', 'n.thread_id');
}

/**
 * Index of rare values. It has to be named for SQLite: the planner does not know how rare they are, and would walk through all rows in
 * order.
 */
function rareIndex({ muted, errors, correlationId }: NotificationFilter): string | undefined {
  if (correlationId?.length) {
    return undefined;
  }
  return muted === 'true' ? 'notifications_muted' : errors === 'only' ? 'notifications_hidden' : undefined;
}

function notificationsOf(db: Database, filter: NotificationFilter): ReturnType<typeof byNotification> {
  const index = rareIndex(filter);
  if (index === undefined) {
    return byNotification(db);
  }
  const rare = sql<NotificationRow>`notifications`.as<'n'>(aliasByIndex('n', index));
  return db.selectFrom(rare).innerJoin('threads as t', 't.id', 'n.thread_id');
}

function byThread(db: Database): ReturnType<typeof byNotification> {
  return db.selectFrom('threads as t').innerJoin('notifications as n', 'n.id', 't.head_id');
}

/** In the order of the search index: a cross join keeps the order in which it is written (SQLite). */
function searched(db: Database, words: string[], threads: boolean): ReturnType<typeof byNotification> {
  const joined = db
    .selectFrom(textSearch(words).as('found'))
    .crossJoin('notifications as n')
    .crossJoin('threads as t')
    .whereRef('n.id', '=', 'found.found_id')
    .whereRef('t.id', '=', 'n.thread_id');
  return threads ? joined.where(likely(sql`t.head_id = n.id`)) : joined;
}

/** The newest that match (of a thread: its newest shown member). */
export async function matching(db: Database, options: SelectOptions): Promise<PageKey[]> {
  if (isOfOwnList(options)) {
    return (await ownKeys(options).execute(db)).rows;
  }
  const commented = await commentedKeys(db, options);
  if (commented.length > 0) {
    const found = await newestMatching(db, options);
    const all = new Map([...found, ...commented].map((key) => [key.id, key]));
    return [...all.values()].sort((a, b) => b.id - a.id).slice(0, options.limit);
  }
  return isOfFewThreads(options) ? (await fewKeys(options).execute(db)).rows : newestMatching(db, options);
}

async function newestMatching(db: Database, options: SelectOptions): Promise<PageKey[]> {
  return (await selectMatching(db, options)).select(['n.ts as ts', 'n.id as id']).execute();
}

/** Newest members of threads with a comment that matches a search. */
export async function commentedKeys(
  db: Database,
  { filter: { q, ...filter }, reader, now, after, limit }: SelectOptions
): Promise<PageKey[]> {
  const threads = q === undefined ? [] : await commentedThreads(db, wordsOf(q));
  if (threads.length === 0) {
    return [];
  }
  const conditions = isThreadView(filter)
    ? threadConditions({ snoozed: 'all', ...filter }, now, reader)
    : notificationConditions(filter, reader);
  const { rows } = await sql<PageKey>`select n.ts as ts, n.id as id from threads t cross join notifications n
    where ${sql.join([inList(sql.ref('t.id'), threads), sql`n.id = t.head_id`, ...conditions], sql` and `)}
      ${after === undefined ? sql`` : sql`and n.id < ${after.id}`}
    order by n.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Ids of the newest that match. */
export async function matchingIds(db: Database, options: SelectOptions): Promise<number[]> {
  return (await matching(db, options)).map(({ id }) => id);
}

/** Looked through as a whole, in an index of their own: among all threads in order they may be rare. */
export function isOfFewThreads({ filter }: SelectOptions): boolean {
  return !filter.q?.trim() && isThreadView(filter) && (filter.open === true || isOfFew(filter));
}

function fewKeys({ filter, reader, now, after, limit }: SelectOptions) {
  const conditions = [
    ...threadConditions(filter, now, reader),
    ...(after ? [sql<boolean>`(${withoutIndex('t.head_ts')}, t.head_id) < (${after.ts}, ${after.id})`] : []),
  ];
  return sql<PageKey>`select t.head_ts as ts, t.head_id as id from threads t where ${sql.join(conditions, sql` and `)}
    order by ${withoutIndex('t.head_ts')} desc, t.head_id desc limit ${limit}`;
}

type OwnOptions = SelectOptions & { reader: number };

/**
 * Whether only rows in a reader's list can match: the list is short, so it is read and sorted, while the
 * order of all could be walked for long before something unread comes.
 */
export function isOfOwnList(options: SelectOptions): options is OwnOptions {
  const { read, q, errors = 'hidden', muted, isBanner } = options.filter;
  const shownOnly = errors === 'hidden' && (muted === 'false' || (muted === undefined && isBanner !== true));
  return options.reader !== undefined && read === false && !q?.trim() && (shownOnly || isThreadView(options.filter));
}

function ownKeys({ filter: { read: _read, ...filter }, reader, now, after, limit }: OwnOptions) {
  const threads = isThreadView(filter);
  const [ts, id] = threads ? [sql`t.head_ts`, sql`t.head_id`] : [sql`n.ts`, sql`n.id`];
  const conditions = [
    ...(threads ? threadConditions(filter, now, reader) : notificationConditions(filter, reader)),
    ...(after ? [sql<boolean>`(${ts}, ${id}) < (${after.ts}, ${after.id})`] : []),
  ];
  const byThread = filter.correlationId !== undefined && filter.correlationId.length > 0;
  const own = threads
    ? sql`${unreadThreads(reader)} own cross join threads t where t.id = own.thread_id`
    : sql`${unreadNotifications(reader)} own cross join notifications n ${byThread ? sql`cross join threads t` : sql``}
        where n.id = own.id ${byThread ? sql`and t.id = n.thread_id` : sql``}`;
  // A cross join keeps the order in which it is written in SQLite, whose planner would guess.
  return sql<PageKey>`select ${ts} as ts, ${id} as id from ${own} and ${sql.join(conditions, sql` and `)}
    order by ${ts} desc, ${id} desc limit ${limit}`;
}
