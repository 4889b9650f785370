/** Changes of the senders' tokens, as the writer thread makes them. None is sent as an event: only admins request them. */
import { sql } from 'kysely';
import { inList } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';
import type { SenderTokenRow } from '../storage/schema.ts';
import type { Written } from '../storage/write.ts';

export async function createToken(trx: Transacting, row: SenderTokenRow): Promise<Written<void>> {
  await trx.insertInto('sender_tokens').values(row).execute();
  return { result: undefined, events: [] };
}

export interface RevokeToken {
  id: string;
  now: number;
}

/** The first revocation stays: a second one changes nothing. */
export async function revokeToken(trx: Transacting, { id, now }: RevokeToken): Promise<Written<void>> {
  await trx
    .updateTable('sender_tokens')
    .set({ revoked_ts: now })
    .where('id', '=', id)
    .where('revoked_ts', 'is', null)
    .execute();
  return { result: undefined, events: [] };
}

/** When tokens were last used. */
export type UsedTokens = [id: string, ts: number][];

export async function keepUsedTokens(trx: Transacting, used: UsedTokens): Promise<Written<void>> {
  for (const [id, ts] of used) {
    await trx.updateTable('sender_tokens').set({ last_used_ts: ts }).where('id', '=', id).execute();
  }
  return { result: undefined, events: [] };
}

/** Those of them that are revoked. */
export async function removeRevokedTokens(trx: Transacting, ids: string[]): Promise<Written<void>> {
  await trx
    .deleteFrom('sender_tokens')
    .where(inList(sql.ref('id'), ids))
    .where('revoked_ts', 'is not', null)
    .execute();
  return { result: undefined, events: [] };
}
