/**
 * Marking. Runs in the writer thread, each call inside a transaction. What may concern many rows is done in slices,
 * one call each, so that sends pass in between.
 */
import { sql } from 'kysely';
import type { NotificationFilter } from '../../../contract/query.ts';
import { noteSeen } from './deliveries.ts';
import { markOwn, type Reader } from '../readers/writes.ts';
import { bigint, eachOf, inList, insertRows, loopOrder } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { JournalEvent } from '../../platform/storage/events.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import { indexText } from '../../platform/storage/textIndex.ts';
import type { Written } from '../../platform/storage/write.ts';
import { recount } from './counts.ts';
import { isThreadView, matching, type PageKey } from './select.ts';
import { UPDATE_THREAD } from './threadRows.ts';

/** An event names at most so many ids; more of them mean "load again". */
export const MAX_NAMED = 500;
export const named = (ids: number[]): number[] | null => (ids.length <= MAX_NAMED ? ids : null);

/** Either these ids, with the rest of their threads when requested, or all that match a filter. */
export interface TheseIds {
  ids: number[];
  wholeThreads: boolean;
}
export interface Matching {
  filter: NotificationFilter;
  /** The user who requests it, if they have their own read state. */
  reader?: Reader | undefined;
  now: number;
  /** At most so many rows in one transaction. */
  limit: number;
}

/** Members of threads that are left for the next slice: of the first thread from an id on, and of the others all. */
export interface RestOfThreads {
  threads: number[];
  fromId: number;
  /** Later notifications are not affected. */
  untilId: number;
}

type MemberRow = Pick<NotificationRow, 'id' | 'thread_id' | 'seen' | 'muted' | 'hidden'>;

/** The notifications with these ids. */
export function membersOf(trx: Transacting, ids: readonly number[]): Promise<MemberRow[]> {
  return trx
    .selectFrom('notifications')
    .select(['id', 'thread_id', 'seen', 'muted', 'hidden'])
    .where(inList(sql.ref('id'), ids))
    .execute();
}

/** The next members of these threads, by id within each: at most `limit`. */
export async function nextMembers(trx: Transacting, rest: RestOfThreads, limit: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`select n.id, n.thread_id, n.seen, n.muted, n.hidden
    from ${eachOf(rest.threads, 't')} cross join notifications n
    where n.thread_id = t.value and n.id >= case when t.place = 0 then ${bigint(rest.fromId)} else 0 end and n.id <= ${rest.untilId}
    ${loopOrder(sql`t.place, n.id`)} limit ${limit}`.execute(trx);
  return rows;
}

/** Rest after these members; undefined if they were fewer than a slice may have. */
export function restAfter(rest: RestOfThreads, rows: readonly MemberRow[], limit: number): RestOfThreads | undefined {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit
    ? undefined
    : { ...rest, threads: rest.threads.slice(rest.threads.indexOf(last.thread_id)), fromId: last.id + 1 };
}

/** The threads of these notifications, as a whole. */
export async function threadsOf(trx: Transacting, ids: readonly number[]): Promise<RestOfThreads> {
  const rows = await trx
    .selectFrom('notifications')
    .select('thread_id')
    .distinct()
    .where(inList(sql.ref('id'), ids))
    .execute();
  const { last } = await trx
    .selectFrom('series')
    .select('last')
    .where('name', '=', 'notification')
    .executeTakeFirstOrThrow();
  return { threads: rows.map(({ thread_id }) => thread_id), fromId: 0, untilId: last };
}

export interface Marked {
  changed: number;
  rest?: RestOfThreads | undefined;
}

/** Marks as seen. Reading by a person with a read state marks as seen too; marking as unread is personal. */
export async function markThese(
  trx: Transacting,
  {
    ids,
    wholeThreads,
    seen,
    reader,
    limit,
    now,
  }: TheseIds & { seen: boolean; reader?: Reader | undefined; limit: number; now: number }
): Promise<Written<Marked>> {
  const written = await mark(trx, await membersOf(trx, ids), { seen, reader, now });
  // A thread is unread because of its newest member: marking it unread leaves the older ones read.
  if (!wholeThreads || !seen) {
    return written;
  }
  const more = await markThreads(trx, { rest: await threadsOf(trx, ids), reader, limit, now });
  return {
    result: { changed: written.result.changed + more.result.changed, rest: more.result.rest },
    events: [...written.events, ...more.events],
  };
}

/**
 * Marks the next members of threads as seen. What has errors is not in the inbox, so whoever views a thread there has not viewed it:
 * it is marked when it is named.
 */
export async function markThreads(
  trx: Transacting,
  { rest, reader, limit, now }: { rest: RestOfThreads; reader?: Reader | undefined; limit: number; now: number }
): Promise<Written<Marked>> {
  const members = await nextMembers(trx, rest, limit);
  const written = await mark(
    trx,
    members.filter(({ hidden }) => hidden === 0),
    { seen: true, reader, now }
  );
  return { ...written, result: { ...written.result, rest: restAfter(rest, members, limit) } };
}

async function mark(
  trx: Transacting,
  rows: readonly MemberRow[],
  { seen, reader, now }: { seen: boolean; reader: Reader | undefined; now: number }
): Promise<{ result: { changed: number }; events: Omit<JournalEvent, 'id'>[] }> {
  const own = reader ? await markOwn(trx, { reader: reader.id, ids: rows.map(({ id }) => id), read: seen }) : [];
  const shared = rows.filter((row) => row.seen !== Number(seen) && (!reader || seen || row.muted || row.hidden));
  await markShared(trx, shared, seen);
  const changed = shared.map(({ id }) => id);
  await (seen ? noteSeen(trx, { ids: changed, now }) : undefined);
  return {
    result: { changed: new Set([...own, ...changed]).size },
    events: [
      ...(reader && own.length > 0
        ? [{ type: 'read' as const, data: { ids: named(own), read: seen, reader: reader.key } }]
        : []),
      ...(changed.length > 0 ? [{ type: 'seen' as const, data: { ids: named(changed), seen } }] : []),
    ],
  };
}

async function markShared(trx: Transacting, changing: readonly MemberRow[], seen: boolean): Promise<void> {
  if (changing.length === 0) {
    return;
  }
  const changed = changing.map(({ id }) => id);
  const threads = [...new Set(changing.map(({ thread_id }) => thread_id))];
  await recount(trx, { notifications: changed, threads }, async () => {
    await trx
      .updateTable('notifications')
      .set({ seen: seen ? 1 : 0 })
      .where(inList(sql.ref('id'), changed))
      .execute();
    await updateUnseen(trx, threads, changing, seen ? -1 : 1);
  });
}

/** A thread counts its shown members only. */
async function updateUnseen(
  trx: Transacting,
  threadIds: number[],
  changing: readonly MemberRow[],
  step: 1 | -1
): Promise<void> {
  const rows = await trx
    .selectFrom('threads')
    .selectAll()
    .where(inList(sql.ref('id'), threadIds))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { thread_id, muted, hidden } of changing) {
    const thread = byId.get(thread_id);
    if (thread && !muted && !hidden) {
      thread.unseen += step;
    }
  }
  await insertRows(trx, 'threads', rows, UPDATE_THREAD);
}

/** Where the search for matching rows continues: first the reader's unread, then the unseen. */
export interface MarkPosition {
  list: 'own' | 'unseen';
  after?: PageKey | undefined;
}
export interface MarkStep extends Marked {
  /** Absent: all are marked. */
  next?: MarkPosition | undefined;
}

/** Marks at most `limit` of the unseen, or of what the reader has not read, that match. */
export async function markMatching(
  trx: Transacting,
  { filter, reader, now, limit, from }: Matching & { from?: MarkPosition | undefined }
): Promise<Written<MarkStep>> {
  const position = from ?? { list: reader && filter.read !== true ? 'own' : 'unseen' };
  if (await isIndexing(trx, filter)) {
    return { result: { changed: 0, next: position }, events: [] };
  }
  // All matching rows: also unseen ones that are too old for the reader's list.
  const narrower = position.list === 'own' ? { read: false } : { seen: false };
  const none =
    position.list === 'unseen' &&
    (filter.seen === true || filter.read === true || (reader !== undefined && filter.read === false));
  const found = none
    ? []
    : await matching(trx, {
        filter: { ...filter, ...narrower },
        reader: reader?.id,
        now,
        limit,
        after: position.after,
      });
  const ids = found.map(({ id }) => id);
  const written = await markThese(trx, { ids, wholeThreads: isThreadView(filter), seen: true, reader, limit, now });
  const next: MarkPosition | undefined =
    found.length === limit
      ? { ...position, after: found.at(-1)! }
      : position.list === 'own'
        ? { list: 'unseen' }
        : undefined;
  return { ...written, result: { ...written.result, next } };
}

/** Marks at most `limit` of the others that match as unseen: of a thread, its newest member. Only a reader's own state changes, if there is one. */
export async function markUnseen(
  trx: Transacting,
  { filter, reader, from, ...how }: Matching & { from?: MarkPosition | undefined }
): Promise<Written<MarkStep>> {
  if (await isIndexing(trx, filter)) {
    return { result: { changed: 0, next: from ?? { list: 'unseen' } }, events: [] };
  }
  const none = filter.read === false || (!reader && filter.seen === false);
  const others = { ...filter, ...(reader ? { read: true } : { seen: true }) };
  const found = none ? [] : await matching(trx, { filter: others, reader: reader?.id, after: from?.after, ...how });
  const ids = found.map(({ id }) => id);
  const written = await mark(trx, await membersOf(trx, ids), { seen: false, reader, now: how.now });
  const next: MarkPosition | undefined =
    found.length === how.limit ? { list: 'unseen', after: found.at(-1)! } : undefined;
  return { ...written, result: { ...written.result, next } };
}

/** Whether the newest notifications are not in the search index yet; then call again first. */
export async function isIndexing(trx: Transacting, { q }: NotificationFilter): Promise<boolean> {
  return q !== undefined && (await indexText(trx, null)).result.more;
}
