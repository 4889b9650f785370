/** Open threads whose alert was found firing at an Alertmanager. Runs in the writer thread. */
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { FoundAlertRow } from '../../platform/storage/schema.ts';

/** @param closed threads that are no longer open: their next firing period must be found again */
export async function keepFound(
  trx: Transacting,
  { found, closed }: { found: FoundAlertRow[]; closed: readonly number[] }
): Promise<void> {
  await insertRows(
    trx,
    'found_alerts',
    found,
    'on conflict (thread_id) do update set alertmanager = excluded.alertmanager'
  );
  if (closed.length > 0) {
    await trx.deleteFrom('found_alerts').where(inList('thread_id', closed)).execute();
  }
}
