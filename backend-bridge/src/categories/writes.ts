/** The switch of a category, as the writer thread sets it. */
import { type Actor, nameOfActor } from '../../contract/audit.ts';
import { audit } from '../audit/writes.ts';
import type { Transacting } from '../storage/engine.ts';
import type { Written } from '../storage/write.ts';
import { addSettingHistory } from '../thresholds/settingHistory.ts';

export interface SetCategory {
  category: string;
  enabled: boolean;
  /** Null: the bridge. */
  by: Actor | null;
  now: number;
}

/**
 * Sets the switch. What has arrived stays as it is; what arrives from now on is muted, or no longer.
 * @returns the provisioning file that switches it, in which case nothing was changed
 */
export async function setCategory(
  trx: Transacting,
  { category, enabled, by, now }: SetCategory
): Promise<Written<{ conflict: string | null }>> {
  const before = await trx
    .selectFrom('categories')
    .select(['enabled', 'file'])
    .where('category', '=', category)
    .executeTakeFirst();
  if (before !== undefined && before.file !== null) {
    return { result: { conflict: before.file }, events: [] };
  }
  const value = { enabled: enabled ? (1 as const) : (0 as const), ts: now };
  await trx
    .insertInto('categories')
    .values({ category, ...value })
    .onConflict((conflict) => conflict.column('category').doUpdateSet(value))
    .execute();
  const was = before?.enabled ?? 1;
  if (was !== value.enabled) {
    await addSettingHistory(trx, {
      ts: now,
      set_by: nameOfActor(by),
      file: null,
      category,
      dnp_name: null,
      correlation_id: null,
      member: 'enabled',
      old_value: was,
      new_value: value.enabled,
    });
    await audit(trx, {
      by,
      action: 'category.switch',
      object: category,
      before: { enabled: was === 1 },
      after: { enabled },
      now,
    });
  }
  return { result: { conflict: null }, events: [{ type: 'settings', data: { category } }] };
}
