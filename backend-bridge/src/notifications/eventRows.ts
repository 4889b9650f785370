/** What events show of notifications: the row form, read once for all streams, and the read states of many readers at once. */
import { sql } from 'kysely';
import { LIMITS } from '../../contract/limits.ts';
import type { Notification } from '../../contract/notification.ts';
import { notificationUnread, threadUnreadCount } from '../readers/unread.ts';
import { inList } from '../storage/bulk.ts';
import type { Database } from '../storage/database.ts';
import type { NotificationRow } from '../storage/schema.ts';
import { toNotification } from './rows.ts';
import { rowForm } from './rowForm.ts';

/** A notification without anybody's own read state. */
export interface EventRow {
  threadId: number;
  notification: Notification;
}

/** What one reader has not read. */
export interface OwnUnread {
  /** Ids of notifications. */
  ids: ReadonlySet<number>;
  /** Unread members by the id of their thread. */
  inThread: ReadonlyMap<number, number>;
}

export interface EventRows {
  /** Those that exist, by their id. */
  byIds(ids: readonly number[]): Promise<Map<number, EventRow>>;
  /** The states of these readers of these rows, by the number of the reader. */
  unread(rows: readonly EventRow[], readers: readonly number[]): Promise<Map<number, OwnUnread>>;
}

const COLUMNS = [
  ...(['id', 'thread_id', 'ts', 'category', 'dnp_name', 'priority', 'status', 'status_given'] as const),
  ...(['correlation_id', 'is_banner', 'banner', 'seen', 'muted', 'hidden', 'source', 'cta_title'] as const),
  ...(['cta_url', 'icon'] as const),
] satisfies Array<keyof NotificationRow>;
const THREAD_COLUMNS = ['state', 'opened_ts', 'closed_ts', 'last_ts', 'closed_by_hand', 'count', 'unseen'] as const;

/** One character more than a text may have bytes, so that {@link rowForm} sees whether there was more. */
const READ_CHARACTERS = LIMITS.eventTextBytes.value + 1;
const beginningOf = (column: string) => sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(READ_CHARACTERS)})`;

/** @param now the clock, UTC milliseconds */
export function createEventRows(db: Database, now: () => number): EventRows {
  const ownRows = (ids: readonly number[], readers: readonly number[]) =>
    db
      .selectFrom(['notifications as n', sql<{ value: number }>`json_each(${JSON.stringify(readers)})`.as('r')])
      .where(inList(sql.ref('n.id'), ids));
  const reader = sql.ref<number>('r.value');

  return {
    async byIds(ids) {
      const rows = await db
        .selectFrom('notifications as n')
        .innerJoin('threads as t', 't.id', 'n.thread_id')
        .select(COLUMNS.map((name) => `n.${name}` as const))
        .select(THREAD_COLUMNS.map((name) => `t.${name}` as const))
        .select([
          beginningOf('n.title').as('title'),
          beginningOf('n.body').as('body'),
          sql<string | null>`substr(n.errors, 1, ${sql.lit(READ_CHARACTERS)})`.as('errors'),
        ])
        .where(inList(sql.ref('n.id'), ids))
        .execute();
      return new Map(
        rows.map((row) => [
          row.id,
          { threadId: row.thread_id, notification: rowForm(toNotification({ ...row, extra: null }, row, now())) },
        ])
      );
    },

    async unread(rows, readers) {
      const ids = rows.map(({ notification }) => notification.id);
      // A long thread is counted once, however many of its members are among the rows.
      const oneOfEach = [...new Map(rows.map(({ threadId, notification }) => [threadId, notification.id])).values()];
      const unread = await ownRows(ids, readers)
        .select(['n.id', reader.as('reader')])
        .where(notificationUnread(reader))
        .execute();
      const counts = await ownRows(oneOfEach, readers)
        .innerJoin('threads as t', 't.id', 'n.thread_id')
        .select(['n.thread_id', reader.as('reader'), threadUnreadCount(reader).as('count')])
        .execute();
      const [unreadOf, countsOf] = [Map.groupBy(unread, (row) => row.reader), Map.groupBy(counts, (row) => row.reader)];
      return new Map(
        readers.map((id) => [
          id,
          {
            ids: new Set(unreadOf.get(id)?.map((row) => row.id)),
            inThread: new Map(countsOf.get(id)?.map(({ thread_id, count }) => [thread_id, count])),
          },
        ])
      );
    },
  };
}
