/**
 * Conditions and columns of a person's read state, for the aliases `n` (notification) and `t` (thread). An unknown person (undefined) has
 * the shared state: seen by somebody. Muted notifications and those with errors have the shared state only. How it is stored:
 * docs/decisions/0010-read-state-and-responses.md.
 */
import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { isSnoozed } from '../responses/conditions.ts';
import { type Database, numberOf } from '../../platform/storage/engine.ts';

/** A reader's number in the store; undefined: nobody in particular. */
export type ReaderId = number | undefined;

/** One reader's number, or a column that holds the numbers of several. */
type ReaderTerm = number | RawBuilder<number>;

/** Above every id: nothing is unread for a reader who was removed. */
const NO_ARRIVALS = Number.MAX_SAFE_INTEGER;

/** Arrivals above this id are unread. Evaluated once for a statement, as is {@link isListComplete}. */
export const watermarkOf = (reader: ReaderTerm): RawBuilder<number> =>
  sql<number>`coalesce((select watermark from readers where id = ${reader}), ${sql.lit(NO_ARRIVALS)})`;

/** Nothing that is newer than the reader's own list has been discarded: else so much is unread that the list is too old to count. */
export const isListComplete = (reader: ReaderTerm): RawBuilder<boolean> =>
  sql<boolean>`(${watermarkOf(reader)} >= (select last from series where name = 'arrivals'))`;

/** The notification of this id is deleted, and its deletion can still be undone. */
export const isInTrash = (id: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from trash where trash.id = ${sql.ref(id)})`;

/** This reader has not read the notification (`notifications`, or its alias), which is neither deleted nor snoozed. */
export const isListed = (reader: ReaderTerm, notification = 'n'): RawBuilder<boolean> => {
  const [id, thread] = [sql.ref(`${notification}.id`), sql.ref(`${notification}.thread_id`)];
  return sql<boolean>`(((${id} > ${watermarkOf(reader)} and exists (select 1 from arrivals a where a.id = ${id}))
    or (${isListComplete(reader)} and exists (
      select 1 from unread u where u.reader = ${reader} and u.thread_id = ${thread} and u.id = ${id})))
    and not ${isSnoozed(reader, `${notification}.thread_id`)})`;
};

/** The notification is unread. */
export function notificationUnread(reader: ReaderTerm | undefined): RawBuilder<boolean> {
  return reader === undefined
    ? sql<boolean>`n.seen = 0`
    : sql<boolean>`case when n.muted = 1 or n.hidden = 1 then n.seen = 0 else ${isListed(reader)} end`;
}

/** The thread has an unread member. */
export function threadUnread(reader: ReaderId): RawBuilder<boolean> {
  if (reader === undefined) {
    return sql<boolean>`t.unseen > 0`;
  }
  return sql<boolean>`(exists (${arrivalsOf(reader, sql`and a.thread_id = t.id`)})
    or exists (${listOf(reader, sql`and u.thread_id = t.id`)}))`;
}

const arrivalsOf = (reader: ReaderTerm, narrower = sql``): RawBuilder<unknown> =>
  sql`select a.thread_id, a.id from arrivals a where a.id > ${watermarkOf(reader)} ${narrower} and not ${isInTrash('a.id')} and not ${isSnoozed(reader, 'a.thread_id')}`;
const listOf = (reader: ReaderTerm, narrower = sql``): RawBuilder<unknown> =>
  sql`select u.thread_id, u.id from unread u where u.reader = ${reader} ${narrower} and ${isListComplete(reader)} and not ${isInTrash('u.id')} and not ${isSnoozed(reader, 'u.thread_id')}`;
const unreadOf = (reader: number): RawBuilder<unknown> => sql`${arrivalsOf(reader)} union all ${listOf(reader)}`;

/** Number of unread members of the thread. */
export function threadUnreadCount(reader: ReaderTerm): RawBuilder<number> {
  return sql<number>`((select count(*) from (${arrivalsOf(reader, sql`and a.thread_id = t.id`)}) as arrived)
    + (select count(*) from (${listOf(reader, sql`and u.thread_id = t.id`)}) as listed))`;
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
  return sql<{ thread_id: number }>`(select distinct thread_id from (${unreadOf(reader)}) as unread_members)`;
}

/** The notifications that a reader has not read, as a table with the column `id`. */
export function unreadNotifications(reader: number): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`(select id from (${unreadOf(reader)}) as unread_members)`;
}

/** Whether as many are unread as are kept at least. */
export async function isListFull(db: Database, reader: number): Promise<boolean> {
  const most = LIMITS.keptUnread.value;
  return (
    (await numberOf(db, sql`select count(*) as n from (${unreadOf(reader)} limit ${most}) as unread_members`)) === most
  );
}

/** Under which number the store knows a person, and when that person last came. */
export function findReader(db: Database, key: string): Promise<{ id: number; last_ts: number } | undefined> {
  return db.selectFrom('readers').select(['id', 'last_ts']).where('key', '=', key).executeTakeFirst();
}
