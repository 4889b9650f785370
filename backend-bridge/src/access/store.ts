/** Reads tokens of senders. */
import type { Database } from '../storage/engine.ts';
import type { SenderTokenRow } from '../storage/schema.ts';

export interface TokenStore {
  /** Every token, including revoked ones, oldest first. */
  all(): Promise<SenderTokenRow[]>;
}

export function createTokenStore(db: Database): TokenStore {
  return {
    all: () => db.selectFrom('sender_tokens').selectAll().orderBy('created_ts').orderBy('id').execute(),
  };
}
