/** The switch of a category, as the writer thread sets it. */
import { type Actor, nameOfActor } from '../../../contract/audit.ts';
import { audit } from '../../platform/audit/writes.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';
import { addSettingHistory } from '../../platform/audit/settingHistory.ts';

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

interface ProvisionCategories {
  file: string;
  categories: { category: string; enabled: boolean }[];
  now: number;
}

/** All switches of a provisioning file; its previous ones that are missing are removed. */
export async function provisionCategories(
  trx: Transacting,
  { file, categories, now }: ProvisionCategories
): Promise<Written<void>['events']> {
  const before = await trx.selectFrom('categories').selectAll().execute();
  const changed: string[] = [];
  for (const { category, enabled, file: owner } of before) {
    if (owner === file && !categories.some((one) => one.category === category)) {
      await trx.deleteFrom('categories').where('category', '=', category).execute();
      changed.push(...(enabled === 1 ? [] : [category]));
      await auditCategory(trx, { file, category, before: enabled === 1, after: null, now });
    }
  }
  for (const { category, enabled } of categories) {
    const known = before.find((one) => one.category === category);
    if (known === undefined || known.file !== file || (known.enabled === 1) !== enabled) {
      const values = { enabled: enabled ? (1 as const) : (0 as const), ts: now, file };
      await trx
        .insertInto('categories')
        .values({ category, ...values })
        .onConflict((conflict) => conflict.column('category').doUpdateSet(values))
        .execute();
      changed.push(...((known === undefined || known.enabled === 1) === enabled ? [] : [category]));
      await auditCategory(trx, { file, category, before: known ? known.enabled === 1 : null, after: enabled, now });
    }
  }
  return changed.map((category) => ({ type: 'settings', data: { category } }));
}

/** Null: not configured, so that the category is on. */
async function auditCategory(
  trx: Transacting,
  {
    file,
    category,
    now,
    ...values
  }: { file: string; category: string; before: boolean | null; after: boolean | null; now: number }
): Promise<void> {
  const [before, after] = [values.before, values.after].map((enabled) => ({ enabled }));
  await audit(trx, {
    by: { kind: 'file', name: file },
    action: 'category.switch',
    object: category,
    before,
    after,
    now,
  });
}
