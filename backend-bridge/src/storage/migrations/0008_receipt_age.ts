/** Finds the oldest receipts of a sender, so that they can be removed. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create index receipts_age on receipts (scope, ts)').execute(db);
}
