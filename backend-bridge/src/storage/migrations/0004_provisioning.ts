/** Which of the operator's files switches a category or lets a sender in; null: an admin did. */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = ['alter table categories add column file text', 'alter table sender_tokens add column file text'];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) {
    await sql.raw(statement).execute(db);
  }
}
