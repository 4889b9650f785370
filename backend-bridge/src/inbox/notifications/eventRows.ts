/** Content of events about notifications: the row form, read once for all streams, and the read states of many readers at once. */
import { sql } from 'kysely';
import type { Thread } from '../../../contract/notification.ts';
import { notificationUnread, threadUnreadCount } from '../readers/unread.ts';
import { ownSnoozes } from '../responses/conditions.ts';
import { eachOf, inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { joinedRows, served, type Served } from './served.ts';
import { EVENT } from './texts.ts';

/** A notification without a person's read state. */
export type EventRow = Served;

/** Unread notifications of one reader. */
export interface OwnUnread {
  /** Ids of notifications. */
  ids: ReadonlySet<number>;
  /** Unread members by the id of their thread. */
  inThread: ReadonlyMap<number, number>;
  /** Snoozed threads of the reader, by id. */
  snoozed: ReadonlyMap<number, Pick<Thread, 'snoozed' | 'returnedAt'>>;
}

export type EventRows = ReturnType<typeof createEventRows>;

/** @param now the clock, UTC milliseconds */
export function createEventRows(db: Database, now: () => number) {
  const ownRows = (ids: readonly number[], readers: readonly number[]) =>
    db
      .selectFrom('notifications as n')
      .innerJoin(sql<{ value: number }>`(select value from ${eachOf(readers)})`.as('r'), (join) => join.onTrue())
      .where(inList('n.id', ids));
  const reader = sql.ref<number>('r.value');

  return {
    /** Existing rows by id. */
    async byIds(ids: readonly number[]): Promise<Map<number, EventRow>> {
      const rows = await joinedRows(db, undefined, EVENT).where(inList('n.id', ids)).execute();
      const found = await served(db, rows, { now: now(), limits: EVENT });
      return new Map(found.map((row) => [row.notification.id, row]));
    },

    /** The states of these readers of these rows, by the number of the reader. */
    async unread(rows: readonly EventRow[], readers: readonly number[]): Promise<Map<number, OwnUnread>> {
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
      const answered = rows.flatMap((row) => (row.answered ? [row.threadId] : []));
      const snoozes = await ownSnoozes(db, answered, readers);
      const [unreadOf, countsOf] = [Map.groupBy(unread, (row) => row.reader), Map.groupBy(counts, (row) => row.reader)];
      return new Map(
        readers.map((id) => [
          id,
          {
            ids: new Set(unreadOf.get(id)?.map((row) => row.id)),
            inThread: new Map(countsOf.get(id)?.map(({ thread_id, count }) => [thread_id, count])),
            snoozed: snoozes.get(id) ?? new Map(),
          },
        ])
      );
    },
  };
}
