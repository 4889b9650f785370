/** The switch of a category, as the writer thread sets it. */
import type { Transacting } from '../storage/bulk.ts';
import type { Written } from '../storage/writes.ts';

export interface SetCategory {
  category: string;
  enabled: boolean;
  now: number;
}

/** Sets the switch. What has arrived stays as it is; what arrives from now on is muted, or no longer. */
export async function setCategory(trx: Transacting, { category, enabled, now }: SetCategory): Promise<Written<void>> {
  const value = { enabled: enabled ? (1 as const) : (0 as const), ts: now };
  await trx
    .insertInto('categories')
    .values({ category, ...value })
    .onConflict((conflict) => conflict.column('category').doUpdateSet(value))
    .execute();
  return { result: undefined, events: [{ type: 'settings', data: { category } }] };
}
