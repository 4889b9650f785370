/** What each person has not read yet, and who these persons are. */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // A number is given out once: what still names one who was forgotten must not come to mean another.
  `create table readers (
    id integer primary key autoincrement,
    key text not null unique,
    first_ts integer not null,
    last_ts integer not null)`,
  // By thread first: a row of the list asks for the unread members of its thread.
  `create table unread (
    reader integer not null,
    thread_id integer not null,
    id integer not null,
    primary key (reader, thread_id, id)) without rowid`,
  // What was unread when it was deleted, for as long as the deletion can be undone.
  `create table unread_trash (
    deletion text not null,
    reader integer not null,
    id integer not null,
    primary key (deletion, reader, id)) without rowid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) {
    await sql.raw(statement).execute(db);
  }
}
