/** The history of settings, written in the transaction of each change. */
import { LIMITS } from '../../../contract/limits.ts';
import type { Transacting } from '../storage/engine.ts';
import type { SettingHistoryRow } from '../storage/schema.ts';

/** Entries; older ones are removed. */
export const KEPT_SETTINGS_HISTORY = LIMITS.keptSettingChanges.value;

export async function addSettingHistory(trx: Transacting, row: Omit<SettingHistoryRow, 'id'>): Promise<void> {
  const id = (await lastEntry(trx)) + 1;
  await trx
    .insertInto('settings_history')
    .values({ id, ...row })
    .execute();
}

async function lastEntry(trx: Transacting): Promise<number> {
  const { last } = await trx
    .selectFrom('settings_history')
    .select((all) => all.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
}

export async function pruneSettingHistory(trx: Transacting): Promise<void> {
  const last = await lastEntry(trx);
  await trx
    .deleteFrom('settings_history')
    .where('id', '<=', last - KEPT_SETTINGS_HISTORY)
    .execute();
}
