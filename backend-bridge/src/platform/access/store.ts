/** Reads tokens of senders. */
import type { Database } from '../storage/engine.ts';
import type { SenderTokenRow } from '../storage/schema.ts';

export interface TokenStore {
  /** Every token, including revoked ones, oldest first. */
  all(): Promise<SenderTokenRow[]>;
  /** Whether a token has this hash, or had it before its rotation. */
  has(tokenHash: string): Promise<boolean>;
}

export function createTokenStore(db: Database): TokenStore {
  return {
    all: () => db.selectFrom('sender_tokens').selectAll().orderBy('created_ts').orderBy('id').execute(),
    async has(tokenHash) {
      const row = await db
        .selectFrom('sender_tokens')
        .select('id')
        .where((is) => is.or([is('hash', '=', tokenHash), is('previous_hash', '=', tokenHash)]))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
