/** Conditions and columns for acknowledged, assigned and snoozed threads. Reading only. */
import { type RawBuilder, sql } from 'kysely';
import type { Thread } from '../../../contract/notification.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import { isoTime } from '../../../contract/text.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { ResponseRow, SnoozeRow } from '../../platform/storage/schema.ts';

type Condition = RawBuilder<boolean>;

/** Snoozes of a reader, and those for all. */
const ofReader = (reader: number | RawBuilder<number> | undefined): RawBuilder<unknown> =>
  reader === undefined ? sql`s.reader = 0` : sql`s.reader in (0, ${reader})`;

/** Threads that this reader has snoozed, or that are snoozed for all, as a table with the column `thread_id`. */
export const snoozedThreads = (reader: number | undefined): RawBuilder<{ thread_id: number }> =>
  sql`(select distinct s.thread_id from snoozes s where ${ofReader(reader)} and s.woken_ts is null)`;

/** Whether the thread in this column is snoozed, by the reader or for all. */
export const isSnoozed = (reader: number | RawBuilder<number> | undefined, thread: string): Condition =>
  sql<boolean>`exists (select 1 from snoozes s where ${ofReader(reader)} and s.thread_id = ${sql.ref(thread)} and s.woken_ts is null)`;

/** The id of an assignee that stands for nobody. */
export const NOBODY = 'none';

/** Few threads match: they are read by their ids, and sorted. */
export const isOfFew = ({ acknowledged, assignee, snoozed }: NotificationFilter): boolean =>
  acknowledged === true || (assignee !== undefined && assignee !== NOBODY) || snoozed === 'true';

/** The counts know nothing of these. */
export const isOfResponses = ({ acknowledged, assignee, snoozed }: NotificationFilter): boolean =>
  acknowledged !== undefined || assignee !== undefined || snoozed !== undefined;

/** @param thread the column with the id of the thread */
export function responseConditions(
  { acknowledged, assignee, snoozed = 'all' }: NotificationFilter,
  thread: string,
  reader: number | undefined
): Condition[] {
  const id = sql.ref(thread);
  const acks = sql`(select r.thread_id from responses r where r.ack_ts is not null)`;
  const assigned = sql`(select r.thread_id from responses r where r.assignee = ${assignee})`;
  // Looked up for each row: of those that somebody has acted on there may be many.
  const lacks = (column: string): Condition =>
    sql<boolean>`not exists (select 1 from responses r where r.thread_id = ${id} and ${sql.ref(column)} is not null)`;
  const snoozes = isSnoozed(reader, thread);
  return [
    ...(acknowledged === undefined ? [] : [acknowledged ? sql<boolean>`${id} in ${acks}` : lacks('r.ack_ts')]),
    ...(assignee === undefined ? [] : [assignee === NOBODY ? lacks('r.assignee') : sql<boolean>`${id} in ${assigned}`]),
    ...(snoozed === 'all'
      ? []
      : [snoozed === 'true' ? sql<boolean>`${id} in ${snoozedThreads(reader)}` : sql<boolean>`not ${snoozes}`]),
  ];
}

/** Threads whose snooze has ended and that this reader has not read since, the last one first. */
export async function returnedThreads(db: Database, reader: number | undefined, limit: number): Promise<number[]> {
  // One query for each list, so that the index gives the order.
  const lists = await Promise.all(
    [0, ...(reader === undefined ? [] : [reader])].map((owner) =>
      db
        .selectFrom('snoozes')
        .select(['thread_id', 'woken_ts'])
        .where('reader', '=', owner)
        .where('woken_ts', 'is not', null)
        .orderBy('woken_ts', 'desc')
        .orderBy('thread_id', 'desc')
        .limit(limit)
        .execute()
    )
  );
  const rows = lists.flat().sort((a, b) => (b.woken_ts ?? 0) - (a.woken_ts ?? 0) || b.thread_id - a.thread_id);
  return [...new Set(rows.map(({ thread_id }) => thread_id))].slice(0, limit);
}

type Responses = Pick<Thread, 'acknowledged' | 'assignee' | 'comments'>;
type Row = { threadId: number; answered: boolean; notification: { thread: Thread } };

/** Adds what people did with these threads. @param reader whose snoozes are shown besides those for all */
export async function addResponses(db: Database, rows: readonly Row[], reader?: number): Promise<void> {
  const threads = [...new Set(rows.flatMap(({ threadId, answered }) => (answered ? [threadId] : [])))];
  if (threads.length === 0) {
    return;
  }
  const responses = await db.selectFrom('responses').selectAll().where(inList('thread_id', threads)).execute();
  const snoozes = await db
    .selectFrom('snoozes as s')
    .selectAll()
    .where(sql<boolean>`${ofReader(reader)}`)
    .where(inList('s.thread_id', threads))
    .orderBy('s.reader', 'desc')
    .execute();
  const suppressed = await suppressionsOf(db, threads);
  const byThread = new Map(responses.map((row) => [row.thread_id, shownResponse(row)]));
  const snoozed = new Map<number, Pick<Thread, 'snoozed' | 'returnedAt'>>();
  for (const row of snoozes) {
    snoozed.set(row.thread_id, { ...snoozed.get(row.thread_id), ...shownSnooze(row) });
  }
  for (const { threadId, notification } of rows) {
    const found = byThread.get(threadId);
    if (found) {
      notification.thread = { ...notification.thread, ...found, ...snoozed.get(threadId), ...suppressed.get(threadId) };
    }
  }
}

/** Why threads are suppressed, and how many others they inhibit. */
async function suppressionsOf(
  db: Database,
  threads: readonly number[]
): Promise<ReadonlyMap<number, Pick<Thread, 'suppressed' | 'inhibits'>>> {
  const rows = await db.selectFrom('suppressed').selectAll().where(inList('thread_id', threads)).execute();
  const found = new Map<number, Pick<Thread, 'suppressed' | 'inhibits'>>(
    rows.map(({ thread_id, suppressor, ref, reason, source_id }) => {
      const id = suppressor === 'inhibition' ? String(source_id) : ref.split(' ', 1)[0]!;
      return [thread_id, { suppressed: { by: suppressor, id, reason } }];
    })
  );
  const counts = await db
    .selectFrom('suppressed')
    .select((all) => ['source_thread', all.fn.countAll<number>().as('count')])
    .where('source_thread', '>', 0)
    .where(inList('source_thread', threads))
    .groupBy('source_thread')
    .execute();
  counts.forEach(({ source_thread, count }) =>
    found.set(source_thread, { ...found.get(source_thread), inhibits: count })
  );
  return found;
}

function shownResponse(row: ResponseRow): Responses {
  return {
    ...(row.ack_ts !== null && {
      acknowledged: {
        by: row.ack_by ?? '',
        at: isoTime(row.ack_ts),
        ...(row.ack_comment !== null && { comment: row.ack_comment }),
      },
    }),
    ...(row.assignee !== null && { assignee: { key: row.assignee, name: row.assignee_name ?? '' } }),
    ...(row.comments > 0 && { comments: row.comments }),
  };
}

/** A snooze as in the API; ended ones have `returnedAt`. */
export function shownSnooze({ until_ts, reader, set_by, woken_ts }: SnoozeRow): Pick<Thread, 'snoozed' | 'returnedAt'> {
  return woken_ts === null
    ? { snoozed: { until: isoTime(until_ts), for: reader === 0 ? 'all' : 'me', by: set_by } }
    : { returnedAt: isoTime(woken_ts) };
}

/** Snoozes of these readers of these threads, by reader and thread. */
export async function ownSnoozes(
  db: Database,
  threads: readonly number[],
  readers: readonly number[]
): Promise<Map<number, Map<number, Pick<Thread, 'snoozed' | 'returnedAt'>>>> {
  const rows =
    threads.length === 0
      ? []
      : await db
          .selectFrom('snoozes')
          .selectAll()
          .where(inList('thread_id', [...new Set(threads)]))
          .where(inList('reader', readers))
          .execute();
  return new Map(
    [...Map.groupBy(rows, ({ reader }) => reader)].map(([reader, own]) => [
      reader,
      new Map(own.map((row) => [row.thread_id, shownSnooze(row)])),
    ])
  );
}
