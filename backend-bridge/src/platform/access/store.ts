/** Reads tokens of senders. */
import type { Database } from '../storage/engine.ts';
import type { SenderTokenRow } from '../storage/schema.ts';

export type TokenStore = ReturnType<typeof createTokenStore>;

export const createTokenStore = (db: Database) => ({
  /** Every token, including revoked ones, oldest first. */
  all: (): Promise<SenderTokenRow[]> =>
    db.selectFrom('sender_tokens').selectAll().orderBy('created_ts').orderBy('id').execute(),
  /** Whether a token has this hash, or had it before its rotation. */
  async has(tokenHash: string): Promise<boolean> {
    const rows = await db
      .selectFrom('sender_tokens')
      .select('id')
      .where((is) => is.or([is('hash', '=', tokenHash), is('previous_hash', '=', tokenHash)]))
      .limit(1)
      .execute();
    return rows.length > 0;
  },
});
