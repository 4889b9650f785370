/** Stored firing alerts of Alertmanager's API. */
import { LIMITS } from '../../../contract/limits.ts';
import { inPairs } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { OpenAlertRow } from '../../platform/storage/schema.ts';

/** All of them, in slices: together, with their notifications, they may not fit into memory. */
export async function* openAlertRows(db: Database): AsyncGenerator<OpenAlertRow> {
  const { value: most } = LIMITS.sliceRows;
  let after = { owner: '', fingerprint: '' };
  for (let isMore = true; isMore;) {
    const { owner, fingerprint } = after;
    const rows = await db
      .selectFrom('open_alerts')
      .selectAll()
      .where((eb) => eb(eb.refTuple('owner', 'fingerprint'), '>', eb.tuple(owner, fingerprint)))
      .orderBy('owner')
      .orderBy('fingerprint')
      .limit(most)
      .execute();
    yield* rows;
    after = rows.at(-1) ?? after;
    isMore = rows.length === most;
  }
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
