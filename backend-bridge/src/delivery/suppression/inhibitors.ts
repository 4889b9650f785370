/** Rows of open threads that are sources of inhibition rules, besides those of arrivals. Writes run in the writer thread. */
import { sql } from 'kysely';
import { HOUR_MS } from '../../../contract/time.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import type { InhibitorRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { addInhibitors } from './arrivals.ts';

/** For how long threads that are resolved by hand keep theirs: longer than resolving many takes, and undoing it. */
const KEPT_MS = HOUR_MS;

/** Rows of threads that are resolved or deleted, and will not be opened again by an undo. @param now UTC milliseconds */
const oldInhibitors = (db: Database, now: number, limit: number) =>
  db
    .selectFrom('inhibitors as i')
    .leftJoin('threads as t', 't.id', 'i.thread_id')
    .select('i.thread_id')
    .where(
      sql<boolean>`coalesce(t.state, '') <> 'open'
        and not (coalesce(t.closed_by_hand, 0) = 1 and t.closed_ts > ${now - KEPT_MS})`
    )
    .limit(limit)
    .execute();

export const hasOldInhibitors = async (db: Database, now: number): Promise<boolean> =>
  (await oldInhibitors(db, now, 1)).length > 0;

/** Stores open threads that match the sources of a new rule, except those of which something has arrived since they were read. */
export async function keepInhibitors(trx: Transacting, { rows }: { rows: readonly InhibitorRow[] }): Promise<void> {
  const heads = await trx
    .selectFrom('threads')
    .select('head_id')
    .where(
      inList(
        'id',
        rows.map(({ thread_id }) => thread_id)
      )
    )
    .execute();
  const ids = new Set(heads.map(({ head_id }) => head_id));
  await addInhibitors(
    trx,
    rows.filter(({ notification_id }) => ids.has(notification_id))
  );
}

/** Removes {@link oldInhibitors}. @returns whether there may be more */
export async function cleanInhibitors(
  trx: Transacting,
  { limit, now }: { limit: number; now: number }
): Promise<Written<{ more: boolean }>> {
  const rows = await oldInhibitors(trx, now, limit);
  const threads = [...new Set(rows.map(({ thread_id }) => thread_id))];
  if (threads.length > 0) {
    await trx.deleteFrom('inhibitors').where(inList('thread_id', threads)).execute();
  }
  return { result: { more: rows.length === limit }, events: [] };
}
