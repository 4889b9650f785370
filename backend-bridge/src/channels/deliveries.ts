/** How a notification went out, for its details. */
import type { Delivery } from '../../contract/delivery.ts';
import { isoTimeOrNull } from '../../contract/text.ts';
import type { Database } from '../storage/engine.ts';
import type { OutboxRow } from '../storage/schema.ts';
import { ofDevice } from './channel.ts';

/**
 * By channel, in the order of their routes. Empty: it did not go out, or long ago. Of the devices of one channel, the first to which it was
 * delivered; else the one that was tried most.
 */
export async function deliveriesOf(db: Database, notificationId: number): Promise<Delivery[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['channel', 'state', 'done_ts', 'attempts', 'reason'])
    .where('notification_id', '=', notificationId)
    .orderBy('id')
    .execute();
  const byChannel = Map.groupBy(rows.map(toDelivery), ({ channel }) => channel);
  return [...byChannel.values()].map((some) => some.reduce((best, one) => (isBetter(one, best) ? one : best)));
}

function isBetter(one: Delivery, than: Delivery): boolean {
  const isDelivered = ({ state }: Delivery): boolean => state === 'sent' || state === 'merged';
  if (isDelivered(one) !== isDelivered(than)) {
    return isDelivered(one);
  }
  return isDelivered(one) ? one.at! < than.at! : one.attempts > than.attempts;
}

export const toDelivery = (
  row: Pick<OutboxRow, 'channel' | 'state' | 'done_ts' | 'attempts' | 'reason'>
): Delivery => ({
  channel: ofDevice(row.channel).name,
  state: row.state,
  at: isoTimeOrNull(row.done_ts),
  attempts: row.attempts,
  reason: row.reason,
});
