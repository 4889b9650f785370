/** Rows of open threads that are sources of inhibition rules, besides those of arrivals. Writes run in the writer thread. */
import { sql } from 'kysely';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import type { InhibitorRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { addInhibitors } from './arrivals.ts';

/** Whether rows of inhibitors are left of threads that are resolved or deleted. */
export async function hasOldInhibitors(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('inhibitors as i')
    .leftJoin('threads as t', 't.id', 'i.thread_id')
    .select('i.thread_id')
    .where(sql<boolean>`coalesce(t.state, '') <> 'open'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores open threads that match the sources of a new rule, except those of which something has arrived since they were read. */
export async function keepInhibitors(trx: Transacting, { rows }: { rows: readonly InhibitorRow[] }): Promise<void> {
  const heads = await trx
    .selectFrom('threads')
    .select('head_id')
    .where(
      inList(
        sql.ref('id'),
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

/** Removes what is left of threads that are resolved or deleted. @returns whether there may be more */
export async function cleanInhibitors(
  trx: Transacting,
  { limit }: { limit: number }
): Promise<Written<{ more: boolean }>> {
  const rows = await trx
    .selectFrom('inhibitors as i')
    .leftJoin('threads as t', 't.id', 'i.thread_id')
    .select('i.thread_id')
    .where(sql<boolean>`coalesce(t.state, '') <> 'open'`)
    .limit(limit)
    .execute();
  const threads = [...new Set(rows.map(({ thread_id }) => thread_id))];
  if (threads.length > 0) {
    await trx
      .deleteFrom('inhibitors')
      .where(inList(sql.ref('thread_id'), threads))
      .execute();
  }
  return { result: { more: rows.length === limit }, events: [] };
}
