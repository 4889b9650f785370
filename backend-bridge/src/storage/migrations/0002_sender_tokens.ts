/** The senders' tokens. Only the SHA-256 of a token is kept: who reads the database cannot send with what is in it. */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table sender_tokens (
    id text primary key,
    name text not null,
    hash text not null unique,
    packages text not null,
    created_ts integer not null,
    last_used_ts integer,
    revoked_ts integer) without rowid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) {
    await sql.raw(statement).execute(db);
  }
}
