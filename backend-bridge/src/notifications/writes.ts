/** Marking, deleting, restoring, closing by hand. Runs in the writer thread, each inside a transaction. */
import { sql } from 'kysely';
import type { NotificationFilter } from '../../contract/query.ts';
import { markOwn, purgeUnreadTrash, type Reader, restoreUnread, trashUnread } from '../readers/writes.ts';
import { inList, inPairs, insertRows, type Transacting } from '../storage/bulk.ts';
import type { NotificationRow, ThreadRow, TrashRow } from '../storage/schema.ts';
import { takeNumbers } from '../storage/series.ts';
import { indexText } from '../storage/textIndex.ts';
import type { Written } from '../storage/writes.ts';
import { countNotifications, countThreads } from './counts.ts';
import { priorityOf, toThreadRow } from './rows.ts';
import { rebuildThreads, receiveRows, threadKey, UPDATE_THREAD } from './receiveRows.ts';
import { matchingIds } from './select.ts';
import { emptyThread } from './thread.ts';

/** An event names at most so many ids; more of them mean "load again". */
const MAX_NAMED = 500;
const named = (ids: number[]): number[] | null => (ids.length <= MAX_NAMED ? ids : null);

/** Either these ids, with the rest of their threads when asked for, or all that match a filter. */
export interface TheseIds {
  ids: number[];
  wholeThreads: boolean;
}
export interface Matching {
  filter: NotificationFilter;
  /** The person who asks, where that person has a read state of their own. */
  reader?: Reader | undefined;
  now: number;
  /** At most so many in one transaction, so that nobody waits long behind it. */
  limit: number;
}

/** What a person with a read state of their own reads is seen as well; to mean to read it again is that person's affair. */
export async function markThese(
  trx: Transacting,
  { ids, wholeThreads, seen, reader }: TheseIds & { seen: boolean; reader?: Reader | undefined }
): Promise<Written<{ changed: number }>> {
  // A thread is unread because of its newest member: marking it unread leaves the older ones read.
  const rows = await trx
    .selectFrom('notifications')
    .select(['id', 'thread_id', 'seen', 'muted', 'hidden'])
    // What has errors is not in the inbox, so whoever views a thread there has not viewed it: it is marked when it is named.
    .where(
      wholeThreads && seen
        ? sql<boolean>`(${inThreadsOf(ids)} and hidden = 0 or ${inList(sql.ref('id'), ids)})`
        : inList(sql.ref('id'), ids)
    )
    .$if(!reader || seen, (query) =>
      query.where(sql<boolean>`(seen = ${seen ? 0 : 1} or ${reader ? isListed(reader) : sql`0`})`)
    )
    .execute();
  const all = rows.map(({ id }) => id);
  const own = reader ? await markOwn(trx, { reader: reader.id, ids: all, read: seen }) : [];
  const shared = rows.filter((row) => row.seen !== Number(seen) && (!reader || seen || row.muted || row.hidden));
  await markShared(trx, shared, seen);
  const changed = shared.map(({ id }) => id);
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

const isListed = (reader: Reader) =>
  sql`exists (select 1 from unread u where u.reader = ${reader.id} and u.thread_id = notifications.thread_id and u.id = notifications.id)`;

type Marked = Pick<NotificationRow, 'id' | 'thread_id' | 'muted' | 'hidden'>;

async function markShared(trx: Transacting, changing: Marked[], seen: boolean): Promise<void> {
  if (changing.length === 0) {
    return;
  }
  const changed = changing.map(({ id }) => id);
  const threads = [...new Set(changing.map(({ thread_id }) => thread_id))];
  await countNotifications(trx, changed, -1);
  await countThreads(trx, threads, -1);
  await trx
    .updateTable('notifications')
    .set({ seen: seen ? 1 : 0 })
    .where(inList(sql.ref('id'), changed))
    .execute();
  await recountUnseen(trx, threads, changing, seen ? -1 : 1);
  await countNotifications(trx, changed, 1);
  await countThreads(trx, threads, 1);
}

/** A thread counts its shown members only. */
async function recountUnseen(trx: Transacting, threadIds: number[], changing: Marked[], step: 1 | -1): Promise<void> {
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

function inThreadsOf(ids: readonly number[]) {
  return sql<boolean>`thread_id in (select thread_id from notifications where ${inList(sql.ref('id'), ids)})`;
}

/** Marks at most `limit` of the unseen, or of what the reader has not read, that match. `more`: call again. */
export async function markMatching(
  trx: Transacting,
  { filter, reader, now, limit }: Matching
): Promise<Written<{ changed: number; more: boolean }>> {
  await searchable(trx, filter);
  const matching = (narrower: NotificationFilter, most: number) =>
    matchingIds(trx, { filter: { ...filter, ...narrower }, reader: reader?.id, now, limit: most });
  const own = reader && filter.read !== true ? await matching({ read: false }, limit) : [];
  // All that match are meant: also what nobody has seen and is too old to stand in the reader's list.
  const left = limit - own.length;
  const none = filter.seen === true || filter.read === true || (reader !== undefined && filter.read === false);
  const unseen = none || left === 0 ? [] : await matching({ seen: false }, left);
  const ids = [...new Set([...own, ...unseen])];
  const written = await markThese(trx, { ids, wholeThreads: isThreadView(filter), seen: true, reader });
  return { ...written, result: { ...written.result, more: own.length + unseen.length === limit } };
}

/** What has just arrived may not be in the search index yet; here it has to be found as well. */
async function searchable(trx: Transacting, { q }: NotificationFilter): Promise<void> {
  while (q !== undefined && (await indexText(trx, null)).result.more) {
    // The next chunk.
  }
}

const isThreadView = (filter: NotificationFilter): boolean => filter.latest === true || filter.open !== undefined;

export interface Deletion {
  deletion: string;
  expiresTs: number;
}

export async function deleteThese(
  trx: Transacting,
  { ids, wholeThreads, deletion, expiresTs }: TheseIds & Deletion
): Promise<Written<{ deleted: number }>> {
  const rows = await trx
    .selectFrom('notifications')
    .select(['id', 'thread_id'])
    .where(wholeThreads ? inThreadsOf(ids) : inList(sql.ref('id'), ids))
    .execute();
  const gone = rows.map(({ id }) => id);
  if (gone.length === 0) {
    return { result: { deleted: 0 }, events: [] };
  }
  const threads = [...new Set(rows.map(({ thread_id }) => thread_id))];
  await countNotifications(trx, gone, -1);
  await countThreads(trx, threads, -1);
  await trashUnread(trx, gone, deletion);
  await trx
    .insertInto('trash')
    .columns([...NOTIFICATION_COLUMNS, 'deletion', 'expires_ts'])
    .expression((query) =>
      query
        .selectFrom('notifications')
        .select([...NOTIFICATION_COLUMNS])
        .select([sql.val(deletion).as('deletion'), sql.val(expiresTs).as('expires_ts')])
        .where(inList(sql.ref('id'), gone))
    )
    .execute();
  await trx
    .deleteFrom('notifications')
    .where(inList(sql.ref('id'), gone))
    .execute();
  await rebuildThreads(trx, threads);
  await countThreads(trx, threads, 1);
  return { result: { deleted: gone.length }, events: [{ type: 'deleted', data: { ids: named(gone) } }] };
}

/** Deletes at most `limit` of those that match, whole threads when the filter looks at threads. `more`: call again. */
export async function deleteMatching(
  trx: Transacting,
  { filter, reader, now, limit, ...deletion }: Matching & Deletion
): Promise<Written<{ deleted: number; more: boolean }>> {
  await searchable(trx, filter);
  const ids = await matchingIds(trx, { filter, reader: reader?.id, now, limit });
  const written = await deleteThese(trx, { ids, wholeThreads: isThreadView(filter), ...deletion });
  return { ...written, result: { ...written.result, more: ids.length === limit } };
}

/** Brings back what a deletion took, while it can be undone. */
export async function restore(
  trx: Transacting,
  { deletion, now }: { deletion: string; now: number }
): Promise<Written<{ restored: number }>> {
  const rows = await trx
    .selectFrom('trash')
    .selectAll()
    .where('deletion', '=', deletion)
    .where('expires_ts', '>', now)
    .orderBy('id')
    .execute();
  if (rows.length === 0) {
    return { result: { restored: 0 }, events: [] };
  }
  const threads = await threadsFor(trx, rows);
  const existing = [...new Set([...threads.values()].map(({ id }) => id))];
  await countThreads(trx, existing, -1);
  const back = rows.map(({ deletion: _deletion, expires_ts: _expires, ...row }): NotificationRow => {
    return { ...row, thread_id: threads.get(pairKey(row))!.id };
  });
  await insertRows(trx, 'notifications', back);
  await restoreUnread(trx, deletion);
  await trx.deleteFrom('trash').where('deletion', '=', deletion).execute();
  const ids = back.map(({ id }) => id);
  await countNotifications(trx, ids, 1);
  await rebuildThreads(trx, existing);
  await countThreads(trx, existing, 1);
  return { result: { restored: ids.length }, events: [{ type: 'restored', data: { ids: named(ids) } }] };
}

const pairKey = (row: Pick<NotificationRow, 'dnp_name' | 'correlation_id'>): string =>
  threadKey(row.dnp_name, row.correlation_id);

/** The threads of rows that come back; one that had gone with its last member is made anew. */
async function threadsFor(trx: Transacting, rows: TrashRow[]): Promise<Map<string, ThreadRow>> {
  const pairs = [...new Map(rows.map((row) => [pairKey(row), [row.dnp_name, row.correlation_id] as const])).values()];
  const known = await trx
    .selectFrom('threads')
    .selectAll()
    .where(inPairs('dnp_name', 'correlation_id', pairs))
    .execute();
  const threads = new Map(known.map((thread) => [pairKey(thread), thread]));
  const missing = pairs.filter(([dnp_name, correlation_id]) => !threads.has(pairKey({ dnp_name, correlation_id })));
  if (missing.length > 0) {
    const first = await takeNumbers(trx, 'thread', missing.length);
    const made = missing.map(([dnp_name, correlation_id], index) =>
      toThreadRow({ id: first + index, dnp_name, correlation_id }, emptyThread())
    );
    await insertRows(trx, 'threads', made, UPDATE_THREAD);
    made.forEach((thread) => threads.set(pairKey(thread), thread));
  }
  return threads;
}

const NOTIFICATION_COLUMNS = [
  'id',
  'thread_id',
  'ts',
  'title',
  'body',
  'category',
  'dnp_name',
  'priority',
  'status',
  'status_given',
  'correlation_id',
  'is_banner',
  'banner',
  'seen',
  'muted',
  'hidden',
  'source',
  'cta_title',
  'cta_url',
  'icon',
  'errors',
  'extra',
] as const;

/** Closes the thread of a notification: a member with source `admin` is added. */
export async function resolveByHand(
  trx: Transacting,
  { id, now }: { id: number; now: number }
): Promise<Written<{ outcome: 'resolved'; id: number } | { outcome: 'absent' | 'not-open' }>> {
  const row = await trx.selectFrom('notifications').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) {
    return { result: { outcome: 'absent' }, events: [] };
  }
  const thread = await trx
    .selectFrom('threads')
    .select('state')
    .where('id', '=', row.thread_id)
    .executeTakeFirstOrThrow();
  if (thread.state !== 'open') {
    return { result: { outcome: 'not-open' }, events: [] };
  }
  const payload = {
    title: row.title,
    body: 'Closed by hand.',
    category: row.category,
    dnpName: row.dnp_name,
    priority: priorityOf(row.priority),
    status: 'resolved' as const,
    correlationId: row.correlation_id,
  };
  const { results, events } = await receiveRows(trx, [{ incoming: [{ payload, source: 'admin' }], now }]);
  return { result: { outcome: 'resolved', id: results[0]![0]!.id }, events };
}

/** Empties the trash of what can no longer be undone. `now`: by the bridge's own clock, as in `expires_ts`. */
export async function purge(trx: Transacting, { now }: { now: number }): Promise<Written<{ purged: number }>> {
  const { numDeletedRows } = await trx.deleteFrom('trash').where('expires_ts', '<=', now).executeTakeFirst();
  await purgeUnreadTrash(trx);
  return { result: { purged: Number(numDeletedRows) }, events: [] };
}
