/** Changes of the senders' tokens, as the writer thread makes them. Other bridges are notified, pages are not: only admins request them. */
import type { Actor } from '../../../contract/audit.ts';
import { audit } from '../audit/writes.ts';
import { inList } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';
import type { SenderTokenRow } from '../storage/schema.ts';
import type { Written } from '../storage/write.ts';
import type { ProvisionedRow } from './provisioned.ts';

export const TOKENS_CHANGED = { type: 'tokens', data: {} } as const;

export async function createToken(
  trx: Transacting,
  { row, by }: { row: SenderTokenRow; by: Actor | null }
): Promise<Written<void>> {
  await trx.insertInto('sender_tokens').values(row).execute();
  await audit(trx, { by, action: 'token.create', object: row.id, after: auditedToken(row), now: row.created_ts });
  return { result: undefined, events: [TOKENS_CHANGED] };
}

/** Never the hash: it identifies a token of which somebody has a copy. */
export const auditedToken = ({ name, packages, node }: Pick<SenderTokenRow, 'name' | 'packages' | 'node'>) => ({
  name,
  packages: JSON.parse(packages) as string[],
  ...(node !== '' && { node }),
});

export interface RotateToken {
  id: string;
  change: Pick<
    SenderTokenRow,
    'hash' | 'previous_hash' | 'previous_until_ts' | 'previous_used_ts' | 'previous_used_from'
  >;
  now: number;
  by: Actor | null;
}

/** @returns false if the token is no longer the one that was to be replaced; then nothing was changed */
export async function rotateToken(trx: Transacting, { id, change, now, by }: RotateToken): Promise<Written<boolean>> {
  const row = await trx
    .updateTable('sender_tokens')
    .set(change)
    .where('id', '=', id)
    .where('hash', '=', String(change.previous_hash))
    .where('revoked_ts', 'is', null)
    .returning('name')
    .executeTakeFirst();
  if (row === undefined) {
    return { result: false, events: [] };
  }
  const after = { name: row.name, previousValidUntil: new Date(change.previous_until_ts ?? now).toISOString() };
  await audit(trx, { by, action: 'token.rotate', object: id, after, now });
  return { result: true, events: [TOKENS_CHANGED] };
}

export interface RevokeToken {
  id: string;
  now: number;
  by: Actor | null;
}

/** The first revocation stays: a second one changes nothing. */
export async function revokeToken(trx: Transacting, { id, now, by }: RevokeToken): Promise<Written<void>> {
  const row = await trx
    .updateTable('sender_tokens')
    .set({ revoked_ts: now })
    .where('id', '=', id)
    .where('revoked_ts', 'is', null)
    .returning(['name', 'packages', 'node'])
    .executeTakeFirst();
  if (row !== undefined) {
    await audit(trx, { by, action: 'token.revoke', object: id, before: auditedToken(row), now });
  }
  return { result: undefined, events: row === undefined ? [] : [TOKENS_CHANGED] };
}

/** When and from where tokens were last used. */
export type UsedTokens = Pick<
  SenderTokenRow,
  'id' | 'last_used_ts' | 'last_used_from' | 'previous_used_ts' | 'previous_used_from'
>[];

export async function keepUsedTokens(trx: Transacting, used: UsedTokens): Promise<void> {
  for (const { id, ...use } of used) {
    await trx.updateTable('sender_tokens').set(use).where('id', '=', id).execute();
  }
}

/** Removes the tokens among `ids` that are revoked. */
export async function removeRevokedTokens(trx: Transacting, ids: string[]): Promise<void> {
  await trx.deleteFrom('sender_tokens').where(inList('id', ids)).where('revoked_ts', 'is not', null).execute();
}

/** All senders of a provisioning file; tokens of its previous ones that are missing are revoked. */
export async function provisionSenders(
  trx: Transacting,
  { file, senders, now }: { file: string; senders: ProvisionedRow[]; now: number }
): Promise<Written<void>['events']> {
  let changed = false;
  const by = { kind: 'file', name: file } as const;
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
  return changed ? [TOKENS_CHANGED] : [];
}

const shownSender = (row: Pick<ProvisionedRow, 'name' | 'packages' | 'previous_hash' | 'node'>) => ({
  ...auditedToken(row),
  previousToken: row.previous_hash !== null,
});
