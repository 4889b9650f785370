/** The rows of threads whose members are deleted or restored. Runs in the writer thread, within `recount` of the threads. */
import { sql } from 'kysely';
import { eachOf, inList, inRows, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';
import { threadKey } from './receiveRows.ts';
import { hasMembers, UPDATE_THREAD } from './rows.ts';
import { advance, EMPTY_THREAD, type Head, type ThreadSummary, withMembers, WITHOUT_MEMBERS } from './thread.ts';
import type { MemberRow } from './writes.ts';

/** A notification that comes back, with the burst of its thread where that is known. */
export type Returning = NotificationRow & { burst?: number | null };

/** @param gone members that are deleted already */
export async function takeOutOfThreads(
  trx: Transacting,
  ids: readonly number[],
  gone: readonly MemberRow[]
): Promise<void> {
  const threads = await trx.selectFrom('threads').selectAll().where(inList('id', ids)).execute();
  const members = Map.groupBy(gone, ({ thread_id }) => thread_id);
  const goneIds = new Set<number | null>(gone.map(({ id }) => id));
  const headless = threads.filter(({ head_id }) => goneIds.has(head_id)).map(({ id }) => id);
  const heads = await newestShown(trx, headless);
  const changed = threads.map((row) => {
    const head = goneIds.has(row.head_id) ? (heads.get(row.id) ?? null) : undefined;
    return withMembers(row, members.get(row.id)!, -1, head);
  });
  await insertRows(trx, 'threads', changed, UPDATE_THREAD);
}

/** One look at an index for each thread. */
async function newestShown(trx: Transacting, threads: readonly number[]): Promise<Map<number, Head>> {
  if (threads.length === 0) {
    return new Map();
  }
  const { rows } = await sql<Head & { thread_id: number }>`
    select n.id, n.thread_id, n.ts, n.category, n.priority, n.label_set from ${eachOf(threads, 'e')} cross join notifications n
    where n.id = (select max(x.id) from notifications x where x.thread_id = e.value and x.muted = 0 and x.hidden = 0)`.execute(
    trx
  );
  return new Map(rows.map((row) => [row.thread_id, row]));
}

/** Removes those of the threads that have no notifications, nor any whose deletion can be undone. */
export async function removeThreads(trx: Transacting, threads: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('threads')
    .where(inList('id', [...new Set(threads)]))
    .where('head_id', 'is', null)
    .where((all) => all.not(hasMembers()))
    .where(sql<boolean>`not exists (select 1 from trash d where d.thread_id = threads.id)`)
    .execute();
}

/** @param rows members that are restored, by id */
export async function putIntoThreads(
  trx: Transacting,
  threads: ReadonlyMap<string, ThreadRow>,
  rows: readonly Returning[]
): Promise<void> {
  const changed = [...Map.groupBy(rows, keyOf)].map(([key, members]) => {
    const thread = threads.get(key)!;
    const newest = members.findLast(({ muted, hidden }) => muted === 0 && hidden === 0);
    const head = newest !== undefined && newest.id > (thread.head_id ?? 0) ? newest : undefined;
    // It left the burst if its category was another after the deletion.
    return { ...withMembers(thread, members, 1, head), burst: thread.burst ?? head?.burst ?? null };
  });
  await insertRows(trx, 'threads', changed, UPDATE_THREAD);
}

export const keyOf = (row: Pick<NotificationRow, 'dnp_name' | 'correlation_id' | 'node'>): string =>
  threadKey(row.dnp_name, row.correlation_id, row.node);

/** The threads of restored rows. One that is not stored gets the state that these rows give it. */
export async function threadsFor(trx: Transacting, rows: readonly Returning[]): Promise<Map<string, ThreadRow>> {
  const members = Map.groupBy(rows, keyOf);
  const known = await trx
    .selectFrom('threads')
    .selectAll()
    .where(
      inRows(
        ['dnp_name', 'correlation_id', 'node'],
        [...members.values()].map(([row]) => [row!.dnp_name, row!.correlation_id, row!.node])
      )
    )
    .execute();
  const threads = new Map<string, ThreadRow>(known.map((thread) => [keyOf(thread), thread]));
  const made = [...members].filter(([key]) => !threads.has(key)).map(([, own]) => newThread(own));
  await insertRows(trx, 'threads', made);
  made.forEach((thread) => threads.set(keyOf(thread), thread));
  return threads;
}

/** A thread with the state of these members, which are not counted yet. It is not open: its resolve may have been removed before. */
function newThread(members: readonly Returning[]): ThreadRow {
  const { thread_id: id, dnp_name, correlation_id, node, burst = null } = members[0]!;
  const thread = { ...members.reduce<ThreadSummary>(advance, EMPTY_THREAD), ...WITHOUT_MEMBERS, burst };
  const notOpen = thread.state === 'open' && { state: 'event', opened_ts: null };
  return { id, dnp_name, correlation_id, node, answered: 0, ...thread, ...notOpen };
}
