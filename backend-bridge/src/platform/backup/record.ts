/** The backups of the store, for the configuration page. */
import type { BridgeStatus } from '../../../contract/status.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { isoTime } from '../../../contract/text.ts';
import { type Database, engineOf } from '../storage/engine.ts';
import type { Place } from './place.ts';

export type StoreBackup = NonNullable<BridgeStatus['storeBackup']>;

/**
 * Records a backup in the store that it is of; a bridge may run.
 * @returns whether it could be recorded
 */
export async function recordBackup(place: Place, { at, ...backup }: StoreBackup): Promise<boolean> {
  try {
    return await place.write(async (trx) => {
      if (!(await engineOf(trx).hasTable(trx, 'store_backups'))) {
        return false;
      }
      await trx.deleteFrom('store_backups').where('created_ts', '=', Date.parse(at)).execute();
      await trx
        .insertInto('store_backups')
        .values({ created_ts: Date.parse(at), ...backup })
        .execute();
      const kept = trx.selectFrom('store_backups').select('created_ts').orderBy('created_ts', 'desc');
      await trx
        .deleteFrom('store_backups')
        .where('created_ts', 'not in', kept.limit(LIMITS.storeBackups.value))
        .execute();
      return true;
    });
  } catch {
    return false;
  }
}

/** The newest backup; undefined: there is none. */
export async function lastBackup(db: Database): Promise<StoreBackup | undefined> {
  const row = await db
    .selectFrom('store_backups')
    .selectAll()
    .orderBy('created_ts', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) {
    return undefined;
  }
  const { created_ts: at, ...backup } = row;
  return { at: isoTime(at), ...backup };
}
