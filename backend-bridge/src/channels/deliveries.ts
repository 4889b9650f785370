/** How a notification went out, for its details. */
import type { Delivery } from '../../contract/delivery.ts';
import { isoTimeOrNull } from '../../contract/text.ts';
import type { Database } from '../storage/engine.ts';
import type { OutboxRow } from '../storage/schema.ts';

/** By channel, in the order of their routes. Empty: it did not go out, or long ago. */
export async function deliveriesOf(db: Database, notificationId: number): Promise<Delivery[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['channel', 'state', 'done_ts', 'attempts', 'reason'])
    .where('notification_id', '=', notificationId)
    .orderBy('id')
    .execute();
  return rows.map(toDelivery);
}

export const toDelivery = (
  row: Pick<OutboxRow, 'channel' | 'state' | 'done_ts' | 'attempts' | 'reason'>
): Delivery => ({
  channel: row.channel,
  state: row.state,
  at: isoTimeOrNull(row.done_ts),
  attempts: row.attempts,
  reason: row.reason,
});
