/** Deliveries of a notification, for its details. */
import type { Delivery } from '../../../contract/delivery.ts';
import type { NotificationDetail } from '../../../contract/notification.ts';
import { isoTime, isoTimeOrNull } from '../../../contract/text.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import type { OutboxRow } from '../../platform/storage/schema.ts';

/**
 * Deliveries by channel, in the order of their routes. Empty: none, or long ago. For the devices of one channel: the first successful
 * delivery, or the device with the most attempts.
 */
export async function deliveriesOf(
  db: Database,
  notificationId: number
): Promise<Pick<NotificationDetail, 'deliveries' | 'seenAt'>> {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'channel', 'state', 'done_ts', 'attempts', 'reason', 'seen_ts', 'escalation'])
    .where('notification_id', '=', notificationId)
    .orderBy('id')
    .execute();
  const byDevice = Map.groupBy(rows, ({ id, channel }) => (channel.includes('/') ? channel.split('/')[0] : id));
  const [first] = rows;
  return first === undefined
    ? {}
    : {
        deliveries: [...byDevice.values()].map((some) =>
          some.map(toDelivery).reduce((best, one) => (isBetter(one, best) ? one : best))
        ),
        ...(first.seen_ts !== null && { seenAt: isoTime(first.seen_ts) }),
      };
}

function isBetter(one: Delivery, than: Delivery): boolean {
  const isDelivered = ({ state }: Delivery): boolean => state === 'sent' || state === 'merged';
  if (isDelivered(one) !== isDelivered(than)) {
    return isDelivered(one);
  }
  return isDelivered(one) ? one.at! < than.at! : one.attempts > than.attempts;
}

/** A row of the outbox as in the API. A device is shown under the name of its channel. */
export const toDelivery = (
  row: Pick<OutboxRow, 'channel' | 'state' | 'done_ts' | 'attempts' | 'reason'> & Partial<Pick<OutboxRow, 'escalation'>>
): Delivery => ({
  // A device of a channel of type webpush is `name/device`.
  channel: row.channel.split('/')[0]!,
  state: row.state,
  at: isoTimeOrNull(row.done_ts),
  attempts: row.attempts,
  reason: row.reason,
  ...personOf(row.escalation),
});

/** @param mark of a step of an escalation; null: it is no step */
const personOf = (mark: string | null = null): Pick<Delivery, 'person'> => {
  const { person } = JSON.parse(mark ?? '{}') as Pick<Delivery, 'person'>;
  return person === undefined ? {} : { person };
};

/** Somebody has seen these in the inbox: kept of what went out, for the details of a notification. Runs in the writer thread. @param now UTC milliseconds */
export async function noteSeen(trx: Transacting, { ids, now }: { ids: readonly number[]; now: number }): Promise<void> {
  if (ids.length > 0) {
    await trx
      .updateTable('outbox')
      .set({ seen_ts: now })
      .where(inList('notification_id', ids))
      .where('seen_ts', 'is', null)
      .execute();
  }
}
