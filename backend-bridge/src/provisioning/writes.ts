/** What a file of the operator switches and lets in, as the writer thread stores it: all of a file, or nothing. */
import type { RetentionPolicy } from '../../contract/retention.ts';
import { provisionRetention } from '../retention/writes.ts';
import type { Transacting } from '../storage/engine.ts';
import type { SenderTokenRow } from '../storage/schema.ts';
import type { Written } from '../storage/write.ts';
import { provisionSettings, type SettingChange } from '../thresholds/writes.ts';

export interface Provision {
  file: string;
  categories: { category: string; enabled: boolean }[];
  senders: Pick<SenderTokenRow, 'id' | 'name' | 'hash' | 'packages'>[];
  /** Of the packages that it names. */
  settings: SettingChange[];
  retention?: RetentionPolicy | undefined;
  now: number;
}

/** What the file named before and names no longer is taken back: its categories are on again, its tokens are revoked. */
export async function provision(trx: Transacting, args: Provision): Promise<Written<void>> {
  const changed = await provisionCategories(trx, args);
  await provisionSenders(trx, args);
  const { file, settings, retention, now } = args;
  await provisionRetention(trx, { file, policy: retention ?? null, now });
  const set = await provisionSettings(trx, { file, changes: settings, now });
  return {
    result: undefined,
    events: [...changed.map((category) => ({ type: 'settings' as const, data: { category } })), ...set],
  };
}

/** @returns the categories whose switch is another now */
async function provisionCategories(trx: Transacting, { file, categories, now }: Provision): Promise<string[]> {
  const before = await trx.selectFrom('categories').selectAll().execute();
  const changed: string[] = [];
  for (const { category, enabled, file: owner } of before) {
    if (owner === file && !categories.some((one) => one.category === category)) {
      await trx.deleteFrom('categories').where('category', '=', category).execute();
      changed.push(...(enabled === 1 ? [] : [category]));
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
    }
  }
  return changed;
}

async function provisionSenders(trx: Transacting, { file, senders, now }: Provision): Promise<void> {
  const ids = new Set(senders.map(({ id }) => id));
  const before = await trx.selectFrom('sender_tokens').selectAll().where('file', '=', file).execute();
  for (const { id, revoked_ts } of before) {
    if (!ids.has(id) && revoked_ts === null) {
      await trx.updateTable('sender_tokens').set({ revoked_ts: now }).where('id', '=', id).execute();
    }
  }
  for (const { id, hash, name, packages } of senders) {
    const values = { name, packages, file, revoked_ts: null };
    await trx
      .insertInto('sender_tokens')
      .values({ id, hash, created_ts: now, last_used_ts: null, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
  }
}
