/** Records when threads resolve without news (`resolveAfter`), in the transaction that stores the notification. */
import { durationSeconds } from '../../../contract/text.ts';
import { insertRows } from '../../platform/storage/bulk.ts';
import type { ArrivalHook, StoredArrival } from '../notifications/arrivals.ts';
import type { AutoResolveRow } from '../../platform/storage/schema.ts';

/** Costs nothing without `resolveAfter`: whether something newer arrived is checked when the time has passed. */
export const autoResolveArrivals: ArrivalHook = {
  begin: () => ({
    async store(trx, stored) {
      const rows = new Map(stored.flatMap((one) => toRow(one) ?? []).map((row) => [row.thread_id, row]));
      await insertRows(
        trx,
        'auto_resolve',
        [...rows.values()],
        `on conflict (thread_id) do update set notification_id = excluded.notification_id, due_ts = excluded.due_ts,
          after = excluded.after`
      );
    },
  }),
};

function toRow({ row, placed: { item, steady } }: StoredArrival): AutoResolveRow | undefined {
  const { resolveAfter: after } = item.payload;
  return after !== undefined && row.status === 'triggered' && row.status_given === 1
    ? { thread_id: row.thread_id, notification_id: row.id, due_ts: steady + durationSeconds(after) * 1000, after }
    : undefined;
}
