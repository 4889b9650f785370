/** Stored firing alerts of Alertmanager's API. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { inPairs } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { OpenAlertRow } from '../../platform/storage/schema.ts';
import { slicesOf } from '../../platform/storage/write.ts';
import { type Clocks, fromRow, keyOf, type OpenAlert } from './openAlert.ts';

/**
 * All of them by key, read in slices: together, with their notifications, they may not fit into memory.
 * @param known as they are in memory
 * @returns `tooLarge`: those stored before there was a limit of bytes, without their texts
 */
export async function readOpenAlerts(
  db: Database,
  known: ReadonlyMap<string, OpenAlert>,
  clocks: Clocks
): Promise<Record<'open' | 'tooLarge', Map<string, OpenAlert>>> {
  const bytes = sql<number>`octet_length(labels) + octet_length(annotations) + octet_length(incoming)`;
  const keys = await db
    .selectFrom('open_alerts')
    .select(['owner', 'fingerprint', bytes.as('bytes')])
    .execute();
  const read = { open: new Map<string, OpenAlert>(), tooLarge: new Map<string, OpenAlert>() };
  for (const slice of slicesOf(keys, (one) => one.bytes)) {
    for (const row of await openAlertRowsOf(db, slice)) {
      const key = keyOf(row.owner, row.fingerprint);
      const alert = fromRow(row, known.get(key), clocks);
      if (alert.bytes > LIMITS.openAlertBytes.value) {
        read.tooLarge.set(key, { ...alert, labels: {}, annotations: {}, compared: {} });
      } else {
        read.open.set(key, alert);
      }
    }
  }
  return read;
}

/** As they are stored; those that another replica has removed are left out. */
export async function openAlertRowsOf(
  db: Database,
  alerts: readonly Pick<OpenAlertRow, 'owner' | 'fingerprint'>[]
): Promise<OpenAlertRow[]> {
  if (alerts.length === 0) {
    return [];
  }
  const keys = alerts.map(({ owner, fingerprint }): [string, string] => [owner, fingerprint]);
  return db
    .selectFrom('open_alerts')
    .selectAll()
    .where(inPairs('owner', 'fingerprint', keys))
    .execute();
}
