/**
 * Deleting, restoring, and emptying the trash. Runs in the writer thread, each call inside a transaction. A deletion is undone as a whole
 * however many calls it took. The state of a thread stays: only its counts and its head change. Its row is removed when its last
 * notification is purged.
 */
import { sql } from 'kysely';
import type { Actor } from '../../../contract/audit.ts';
import { auditStep } from '../../platform/audit/writes.ts';
import { removeLabelSets } from '../labels/writes.ts';
import { removeUnread, moveUnread } from '../readers/writes.ts';
import { returnResponses } from '../responses/activities.ts';
import { bigint, inList, insertRows } from '../../platform/storage/bulk.ts';
import { engineOf, type Transacting } from '../../platform/storage/engine.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { recount } from './counts.ts';
import { keyOf, putIntoThreads, removeThreads, type Returning, takeOutOfThreads, threadsFor } from './threadRows.ts';
import { type MemberRow, membersOf, named } from './writes.ts';

/** Audit entry of a deletion: which notifications, not their contents. */
export interface DeletionAudit {
  /** Null: the bridge. */
  by: Actor | null;
  /** The filter, or the number of ids. */
  of: Record<string, unknown>;
  /** UTC milliseconds. */
  now: number;
}

export interface Deletion {
  deletion: string;
  /** Undefined: not recorded. */
  audited?: DeletionAudit | undefined;
  /** Until when it can be undone; that of the last call holds for all. */
  expiresTs: number;
}

/** Deletes these. */
export async function remove(
  trx: Transacting,
  { ids, deletion, expiresTs, audited }: Deletion & { ids: readonly number[] }
): Promise<Written<{ deleted: number }>> {
  const rows = await membersOf(trx, ids);
  if (rows.length === 0) {
    return { result: { deleted: 0 }, events: [] };
  }
  const gone = rows.map(({ id }) => id);
  await sql`insert into deletions (deletion, expires_ts, restoring) values (${deletion}, ${expiresTs}, 0)
    on conflict (deletion) do update set expires_ts = excluded.expires_ts`.execute(trx);
  await takeOut(trx, rows, () => moveToTrash(trx, gone, { deletion, expiresTs }));
  if (audited) {
    const { of, ...who } = audited;
    const count = gone.length;
    await auditStep(trx, { ...who, action: 'notifications.delete', object: deletion, count, after: of });
  }
  return { result: { deleted: gone.length }, events: [{ type: 'deleted', data: { ids: named(gone) } }] };
}

/** Deletes rows for good, without undo. */
export async function deleteForGood(trx: Transacting, rows: readonly MemberRow[]): Promise<void> {
  const gone = rows.map(({ id }) => id);
  await takeOut(trx, rows, () => removeUnread(trx, gone));
  await removeRest(trx, rows);
}

/** Removes threads and label sets that no other notification uses. */
async function removeRest(
  trx: Transacting,
  gone: readonly Pick<NotificationRow, 'thread_id' | 'label_set'>[]
): Promise<void> {
  await removeThreads(
    trx,
    gone.map(({ thread_id }) => thread_id)
  );
  await removeLabelSets(
    trx,
    gone.map(({ label_set }) => label_set)
  );
}

/** @param before runs while the rows are still there */
async function takeOut(trx: Transacting, rows: readonly MemberRow[], before: () => Promise<void>): Promise<void> {
  const gone = rows.map(({ id }) => id);
  const threads = [...new Set(rows.map(({ thread_id }) => thread_id))];
  const deleteAll = async () => {
    await before();
    await trx.deleteFrom('notifications').where(inList('id', gone)).execute();
    await takeOutOfThreads(trx, threads, rows);
  };
  await recount(trx, { notifications: gone, threads }, deleteAll, { threads });
}

async function moveToTrash(
  trx: Transacting,
  ids: readonly number[],
  { deletion, expiresTs }: Omit<Deletion, 'audited'>
): Promise<void> {
  await trx
    .insertInto('trash')
    .columns([...NOTIFICATION_COLUMNS, 'deletion', 'expires_ts', 'burst'])
    .expression((query) =>
      query
        .selectFrom('notifications')
        .select([...NOTIFICATION_COLUMNS])
        .select([sql<string>`cast(${deletion} as text)`.as('deletion'), bigint(expiresTs).as('expires_ts')])
        .select((row) =>
          row.selectFrom('threads as t').select('t.burst').whereRef('t.id', '=', 'notifications.thread_id').as('burst')
        )
        .where(inList('id', ids))
    )
    .execute();
}

export interface RestoredStep {
  restored: number;
  more: boolean;
}

/** Arguments of an undo. */
export interface Undo {
  deletion: string;
  /** By the bridge's own clock. */
  now: number;
  limit: number;
  /** Undefined: not recorded. */
  audited?: Omit<DeletionAudit, 'of'> | undefined;
}

/**
 * Runs a step of an undo, unless it is too late. Once started, it can be finished at any time: nothing of it is purged.
 * @param next at most `limit` rows that are left
 */
export async function undoStep<T>(
  trx: Transacting,
  { deletion, now, limit }: Undo,
  next: () => Promise<T[]>
): Promise<{ rows: T[]; more: boolean }> {
  const begun = await trx
    .updateTable('deletions')
    .set({ restoring: 1 })
    .where('deletion', '=', deletion)
    .where((all) => all.or([all('restoring', '=', 1), all('expires_ts', '>', now)]))
    .executeTakeFirst();
  const rows = begun.numUpdatedRows > 0n ? await next() : [];
  if (begun.numUpdatedRows > 0n && rows.length < limit) {
    await trx.deleteFrom('deletions').where('deletion', '=', deletion).execute();
  }
  return { rows, more: rows.length === limit };
}

export const NOTHING_UNDONE: Written<RestoredStep> = {
  result: { restored: 0, more: false },
  events: [],
};

/** Restores at most `limit` rows of a deletion. */
export async function restore(trx: Transacting, undo: Undo): Promise<Written<RestoredStep>> {
  const { deletion, limit, audited } = undo;
  const { rows, more } = await undoStep(trx, undo, () =>
    trx.selectFrom('trash').selectAll().where('deletion', '=', deletion).orderBy('id').limit(limit).execute()
  );
  if (rows.length === 0) {
    return NOTHING_UNDONE;
  }
  const back = await bringBack(
    trx,
    rows.map(({ deletion: _deletion, expires_ts: _expires, ...row }) => row)
  );
  const ids = back.map(({ id }) => id);
  const count = ids.length;
  if (audited) {
    await auditStep(trx, { ...audited, action: 'notifications.restore', object: deletion, count, after: {} });
  }
  return {
    result: { restored: ids.length, more },
    events: [{ type: 'restored', data: { ids: named(ids) } }],
  };
}

/** Stores notifications that were there before, with their ids, from the trash or from elsewhere. @param rows by id */
export async function bringBack(trx: Transacting, rows: readonly Returning[]): Promise<NotificationRow[]> {
  const threads = await threadsFor(trx, rows);
  const known = [...threads.values()].map(({ id }) => id);
  const back = rows.map(({ burst: _burst, ...row }): NotificationRow => ({
    ...row,
    thread_id: threads.get(keyOf(row))!.id,
  }));
  const ids = back.map(({ id }) => id);
  const moved = back.filter((row, index) => row.thread_id !== rows[index]!.thread_id).map(({ id }) => id);
  const insert = async () => {
    await insertRows(trx, 'notifications', back);
    await engineOf(trx).reindexText(trx, ids);
    await trx.deleteFrom('trash').where(inList('id', ids)).execute();
    if (moved.length > 0) {
      await moveUnread(trx, moved);
    }
    await returnResponses(
      trx,
      back.map((row, index) => [rows[index]!.thread_id, row.thread_id])
    );
  };
  await recount(trx, { threads: known }, async () => {
    await recount(trx, {}, insert, { notifications: ids });
    await putIntoThreads(trx, threads, rows);
  });
  return back;
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
  'turned',
  'source',
  'cta_title',
  'cta_url',
  'icon',
  'errors',
  'extra',
  'node',
  'sent_ts',
  'label_set',
] as const;

export interface PurgedStep {
  purged: number;
  /** Deletions whose undoing was begun and not finished. */
  restoring: string[];
  more: boolean;
}

/**
 * Empties the trash of at most `limit` that can no longer be undone. `more`: call again.
 * @param now by the bridge's own clock, as in `expires_ts`
 */
export async function purge(
  trx: Transacting,
  { now, limit }: { now: number; limit: number }
): Promise<Written<PurgedStep>> {
  const expired = await trx
    .selectFrom('deletions')
    .select('deletion')
    .where('expires_ts', '<=', now)
    .where('restoring', '=', 0)
    .limit(1)
    .executeTakeFirst();
  const purged = expired ? await purgeDeletion(trx, expired.deletion, limit) : 0;
  const begun = await trx.selectFrom('deletions').select('deletion').where('restoring', '=', 1).execute();
  return {
    result: { purged, restoring: begun.map(({ deletion }) => deletion), more: expired !== undefined },
    events: [],
  };
}

async function purgeDeletion(trx: Transacting, deletion: string, limit: number): Promise<number> {
  const rows = await trx
    .selectFrom('trash')
    .select(['id', 'thread_id', 'label_set'])
    .where('deletion', '=', deletion)
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  await removeUnread(trx, ids);
  await trx.deleteFrom('trash').where(inList('id', ids)).execute();
  await removeRest(trx, rows);
  if (rows.length < limit) {
    await trx.deleteFrom('deletions').where('deletion', '=', deletion).execute();
  }
  return ids.length;
}
