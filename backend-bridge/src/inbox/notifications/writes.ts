/** Marking notifications as seen or unseen. Runs in the writer thread. */
import { noteSeen } from './deliveries.ts';
import { markOwn, type Reader } from '../readers/writes.ts';
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { recount } from './counts.ts';
import { UPDATE_THREAD } from './rows.ts';

/** An event names at most so many ids; more of them mean "load again". */
export const MAX_NAMED = 500;
export const named = (ids: number[]): number[] | null => (ids.length <= MAX_NAMED ? ids : null);

/** Columns of a notification on which the counts of its thread depend. */
export type MemberRow = Pick<NotificationRow, 'id' | 'thread_id' | 'seen' | 'muted' | 'hidden' | 'label_set'>;

/** The notifications with these ids. */
export function membersOf(trx: Transacting, ids: readonly number[]): Promise<MemberRow[]> {
  return trx
    .selectFrom('notifications')
    .select(['id', 'thread_id', 'seen', 'muted', 'hidden', 'label_set'])
    .where(inList('id', ids))
    .execute();
}

/** Marks these. Reading by a person with a read state marks as seen too; marking as unread is personal. @param now UTC milliseconds */
export async function mark(
  trx: Transacting,
  { ids, seen, reader, now }: { ids: readonly number[]; seen: boolean; reader?: Reader | undefined; now: number }
): Promise<Written<{ changed: number }>> {
  const rows = await membersOf(trx, ids);
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
      .where(inList('id', changed))
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
  const rows = await trx.selectFrom('threads').selectAll().where(inList('id', threadIds)).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { thread_id, muted, hidden } of changing) {
    const thread = byId.get(thread_id);
    if (thread && !muted && !hidden) {
      thread.unseen += step;
    }
  }
  await insertRows(trx, 'threads', rows, UPDATE_THREAD);
}
