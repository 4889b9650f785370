/** What a file of the operator switches and lets in, as the writer thread stores it: all of a file, or nothing. */
import type { Actor, AuditAction } from '../../contract/audit.ts';
import type { ProvisionedRow } from '../access/service.ts';
import { auditedToken, TOKENS_CHANGED } from '../access/writes.ts';
import { audit, auditState } from '../audit/writes.ts';
import type { Route } from '../../contract/channel.ts';
import type { ProvisionedHeartbeat } from '../../contract/heartbeat.ts';
import type { RetentionPolicy } from '../../contract/retention.ts';
import type { ShownChannel } from '../channels/channel.ts';
import { provisionChannels, ROUTES_CHANGED } from '../channels/writes.ts';
import { provisionRetention } from '../retention/writes.ts';
import type { Transacting } from '../storage/engine.ts';
import type { Written } from '../storage/write.ts';
import { provisionSettings, type SettingChange } from '../thresholds/writes.ts';

export interface Provision {
  file: string;
  categories: { category: string; enabled: boolean }[];
  senders: ProvisionedRow[];
  /** Nodes, without credentials; for the audit log only, since the file is read at each start. */
  chains: { dnpName: string; shown: Record<string, unknown> }[];
  /** For the audit log only, as `chains`. */
  heartbeats: ProvisionedHeartbeat[];
  /** Settings of the packages that it names. */
  settings: SettingChange[];
  retention?: RetentionPolicy | undefined;
  /** Without secrets. */
  channels: ShownChannel[];
  routes: Route[];
  now: number;
}

/** What the file named before and names no longer is taken back: its categories are on again, its tokens are revoked. */
export async function provision(trx: Transacting, args: Provision): Promise<Written<void>> {
  const changed = await provisionCategories(trx, args);
  const hasNewTokens = await provisionSenders(trx, args);
  const { file, settings, retention, channels, routes, now } = args;
  const chains = args.chains.map(({ dnpName, shown }) => [dnpName, shown] as const);
  await auditStates(trx, { file, action: 'chain.configure', shown: new Map(chains), now });
  const heartbeats = args.heartbeats.map(({ name, ...shown }) => [name, shown] as const);
  await auditStates(trx, { file, action: 'heartbeat.configure', shown: new Map(heartbeats), now });
  await provisionRetention(trx, { file, policy: retention ?? null, now });
  const hasNewRoutes = await provisionChannels(trx, { file, channels, routes, now });
  const set = await provisionSettings(trx, { file, changes: settings, now });
  return {
    result: undefined,
    events: [
      ...changed.map((category) => ({ type: 'settings' as const, data: { category } })),
      ...set,
      ...(hasNewTokens ? [TOKENS_CHANGED] : []),
      ...(hasNewRoutes ? [ROUTES_CHANGED] : []),
    ],
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
  return changed;
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
  await audit(trx, { by: byFile(file), action: 'category.switch', object: category, before, after, now });
}

const byFile = (file: string): Actor => ({ kind: 'file', name: file });

interface Shown {
  file: string;
  action: AuditAction;
  /** By object, without secrets. */
  shown: ReadonlyMap<string, Record<string, unknown>>;
  now: number;
}

/** For what only the file has: the log contains the value before. What the file names no longer is recorded as well. */
async function auditStates(trx: Transacting, { file, action, shown, now }: Shown): Promise<void> {
  const known = await trx
    .selectFrom('audit')
    .select('object')
    .distinct()
    .where('action', '=', action)
    .where('actor', '=', file)
    .execute();
  for (const object of new Set([...known.map((one) => one.object), ...shown.keys()])) {
    await auditState(trx, { by: byFile(file), action, object, after: shown.get(object), now });
  }
}

/** @returns whether any has changed */
async function provisionSenders(trx: Transacting, { file, senders, now }: Provision): Promise<boolean> {
  let changed = false;
  const by = byFile(file);
  const ids = new Set(senders.map(({ id }) => id));
  const before = await trx.selectFrom('sender_tokens').selectAll().where('file', '=', file).execute();
  for (const row of before) {
    if (!ids.has(row.id) && row.revoked_ts === null) {
      await trx.updateTable('sender_tokens').set({ revoked_ts: now }).where('id', '=', row.id).execute();
      await audit(trx, { by, action: 'token.revoke', object: row.id, before: auditedToken(row), now });
      changed = true;
    }
  }
  for (const { id, hash, ...given } of senders) {
    const known = before.find((row) => row.id === id && row.revoked_ts === null);
    const values = { ...given, previous_until_ts: null, file, revoked_ts: null };
    await trx
      .insertInto('sender_tokens')
      .values({ id, hash, created_ts: now, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
    const [was, is] = [known && shownSender(known), shownSender(given)];
    if (JSON.stringify(was) !== JSON.stringify(is)) {
      const action = was === undefined ? 'token.create' : 'token.rotate';
      await audit(trx, { by, action, object: id, before: was, after: is, now });
      changed = true;
    }
  }
  return changed;
}

const shownSender = (row: Pick<ProvisionedRow, 'name' | 'packages' | 'previous_hash' | 'node'>) => ({
  ...auditedToken(row),
  previousToken: row.previous_hash !== null,
});
