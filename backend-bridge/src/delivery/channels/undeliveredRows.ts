/** Reads what was given up. */
import { sql } from 'kysely';
import type { Undelivered } from '../../../contract/channel.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { toDelivery } from '../../inbox/notifications/deliveries.ts';
import type { Database } from '../../platform/storage/engine.ts';

/** A page: the newest before this id of the outbox. */
export interface UndeliveredPage {
  before?: number | undefined;
  limit?: number | undefined;
}

/** Newest first. */
export async function undeliveredOf(db: Database, { before, limit = 50 }: UndeliveredPage) {
  const rows = await db
    .selectFrom('outbox as o')
    .leftJoin('notifications as n', 'n.id', 'o.notification_id')
    .select(['o.id', 'o.channel', 'o.state', 'o.done_ts', 'o.attempts', 'o.reason', 'o.notification_id'])
    // Whole titles would exceed what readers reserve for a response.
    .select(sql<string | null>`substr(n.title, 1, ${LIMITS.titleBytes.value})`.as('title'))
    .where('o.state', '=', sql.lit<'undelivered'>('undelivered'))
    .$if(before !== undefined, (query) => query.where('o.id', '<', before!))
    .orderBy('o.id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  return {
    undelivered: page.map((row) => ({
      id: row.id,
      ...toDelivery(row),
      notification: row.notification_id,
      title: row.title,
    })),
    next: rows.length > limit ? page.at(-1)!.id : null,
  } satisfies Undelivered;
}
