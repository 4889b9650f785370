/**
 * What a person has read, as conditions and columns: for the aliases `n` (notification) and `t` (thread). A person who is not
 * known (undefined) has the shared state: seen by somebody. What was muted or has errors has only that one, for everybody.
 */
import { type RawBuilder, sql } from 'kysely';
import { KEPT_UNREAD } from '../../contract/query.ts';
import type { Database } from '../storage/database.ts';

/** A reader's number in the store; undefined: nobody in particular. */
export type ReaderId = number | undefined;

/** One reader's number, or a column that holds the numbers of several. */
type ReaderTerm = number | RawBuilder<number>;

/** In the list of what this reader has not read. */
const listed = (reader: ReaderTerm): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from unread u where u.reader = ${reader} and u.thread_id = n.thread_id and u.id = n.id)`;

/** The notification is unread. */
export function notificationUnread(reader: ReaderTerm | undefined): RawBuilder<boolean> {
  return reader === undefined
    ? sql<boolean>`n.seen = 0`
    : sql<boolean>`iif(n.muted = 1 or n.hidden = 1, n.seen = 0, ${listed(reader)})`;
}

/** The thread has an unread member. `list`: its name for the column `unseen`, where no index of it may be used. */
export function threadUnread(reader: ReaderId, unseen: RawBuilder<unknown> = sql.ref('t.unseen')): RawBuilder<boolean> {
  return reader === undefined
    ? sql<boolean>`${unseen} > 0`
    : sql<boolean>`exists (select 1 from unread u where u.reader = ${reader} and u.thread_id = t.id)`;
}

/** How many members of the thread are unread. */
export function threadUnreadCount(reader: ReaderTerm): RawBuilder<number> {
  return sql<number>`(select count(*) from unread u where u.reader = ${reader} and u.thread_id = t.id)`;
}

/** Columns that {@link OwnState} names. */
export function ownColumns(reader: number) {
  return [notificationUnread(reader).as('own_unread'), threadUnreadCount(reader).as('own_thread_unread')] as const;
}

/** A person's own state of a notification: whether it is unread, and how many members of its thread are. */
export interface OwnState {
  own_unread: number | boolean;
  own_thread_unread: number;
}

/** The threads that a reader has not read, as a table with the column `thread_id`. */
export function unreadThreads(reader: number): RawBuilder<{ thread_id: number }> {
  return sql<{ thread_id: number }>`(select distinct thread_id from unread where reader = ${reader})`;
}

/** The notifications that a reader has not read, as a table with the column `id`. */
export function unreadNotifications(reader: number): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`(select id from unread where reader = ${reader})`;
}

/** Whether the list of a reader is as long as lists may be. */
export async function isListFull(db: Database, reader: number): Promise<boolean> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from (select 1 from unread where reader = ${reader} limit ${KEPT_UNREAD})`.execute(db);
  return rows[0]!.n === KEPT_UNREAD;
}

/** Under which number the store knows a person, and when that person last came. */
export function findReader(db: Database, key: string): Promise<{ id: number; last_ts: number } | undefined> {
  return db.selectFrom('readers').select(['id', 'last_ts']).where('key', '=', key).executeTakeFirst();
}
