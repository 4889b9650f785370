/** Rows of the outbox, as they are sent. */
import { type SqlBool, sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Labels } from '../../../contract/matchers.ts';
import type { Status } from '../../../contract/notification.ts';
import { isoTime } from '../../../contract/text.ts';
import { priorityOf } from '../../inbox/notifications/rows.ts';
import { labelsOfRow } from '../../inbox/notifications/texts.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import type { Message, SentNotification } from './kinds/channel.ts';
import type { Details } from './templates.ts';
import { UNACKNOWLEDGED } from '../schedules/hours.ts';
import { RESPONSE_COLUMNS, RESPONSE_TS, type Responded, responseTs } from './threadResponses.ts';
import { storedVia } from './via.ts';

/** A notification that waits. */
export interface Waiting {
  id: number;
  threadId: number;
  /** Sender; empty: the bridge. */
  sender: string;
  /** When it was received, by the bridge's own clock. */
  ts: number;
  attempts: number;
  /** Undefined: it has been removed. */
  notification: SentNotification | undefined;
  /** Rank of its priority. */
  rank: number;
  /** Whether its sender said the status: the thread opens or resolves. */
  statusGiven: boolean;
  /** UTC milliseconds at which it arrived. */
  arrivedTs: number;
  /** Bridges through which it has come, without this one. */
  via: readonly string[];
  /** Undefined: not read. */
  details: Details | undefined;
  /** Whether it is sent for a step of an escalation: as a message of its own. */
  isStep: boolean;
  /** The message of its thread; undefined: none, or it is of an earlier firing period. */
  announced: { ref: string; priority: number; responseTs: number } | undefined;
  responded: Responded;
}

/** Whether the thread has resolved since the channel got something of it: the route leaves resolves out, or it was not delivered. */
const hasResolvedSince = sql<number | boolean>`(n.status = 'triggered' and r.ref is not null and exists (
  select f.id from notifications as f
  where f.thread_id = o.thread_id and f.id < n.id and f.status = 'resolved' and f.status_given = 1 and f.hidden = 0
  and f.id > coalesce((select m.id from notifications as m join outbox as e on e.notification_id = m.id
    where m.thread_id = o.thread_id and m.id <= n.id and e.channel = o.channel and e.state in ('sent', 'merged')
    order by m.id desc limit 1), 0)))`;

const SENT_COLUMNS = [
  ...(['n.title', 'n.category', 'n.dnp_name', 'n.priority', 'n.status', 'n.status_given'] as const),
  ...(['n.correlation_id', 'n.cta_title', 'n.cta_url'] as const),
] as const;
const bodyText = () => sql<string>`substr(n.body, 1, ${sql.lit(LIMITS.channelText.value)})`.as('body');

/**
 * Rows that wait, are held or were sent, with their notifications and the messages of their threads.
 * @param isDetailed with {@link Waiting.details}
 */
export const outboxRows = (db: Database, channel: string, isDetailed: boolean) =>
  db
    .selectFrom('outbox as o')
    .leftJoin('notifications as n', 'n.id', 'o.notification_id')
    .leftJoin('channel_threads as r', (join) =>
      join.onRef('r.thread_id', '=', 'o.thread_id').onRef('r.channel', '=', 'o.channel')
    )
    .select([
      'o.id',
      'o.thread_id',
      'o.sender',
      'o.ts',
      'o.attempts',
      'o.via',
      'o.escalation',
      'r.ref',
      'r.priority as announced_priority',
      'r.response_ts',
    ])
    .select(['n.id as notification_id', 'n.ts as arrived_ts', ...SENT_COLUMNS])
    .select(bodyText())
    .select(RESPONSE_COLUMNS)
    .$if(isDetailed, (query) => query.select('n.node').select(labelsOfRow()))
    .select(hasResolvedSince.as('has_resolved'))
    .where('o.channel', '=', channel);

type OutboxEntry = Awaited<ReturnType<ReturnType<typeof outboxRows>['execute']>>[number];

export const toWaiting = (row: OutboxEntry): Waiting => ({
  id: row.id,
  threadId: row.thread_id,
  sender: row.sender,
  ts: row.ts,
  attempts: row.attempts,
  rank: row.priority ?? 0,
  statusGiven: row.status_given === 1,
  arrivedTs: row.arrived_ts ?? 0,
  via: storedVia(row.via),
  details: row.node == null ? undefined : { node: row.node, labels: labelsOf(row.labels ?? null) },
  announced:
    row.ref === null || row.has_resolved
      ? undefined
      : { ref: row.ref, priority: row.announced_priority ?? 0, responseTs: row.response_ts ?? 0 },
  responded: row,
  isStep: row.escalation !== null,
  notification:
    row.notification_id === null
      ? undefined
      : toSent({ ...row, id: row.notification_id, ts: row.arrived_ts } as SentRow),
});

/** @param ref of the message that it changes @param firedTs when it fired, unless that was sent; UTC milliseconds */
export const messageOf = (
  row: Waiting,
  notification: SentNotification,
  ref: string | undefined,
  firedTs: number | undefined
): Message => ({
  ...notification,
  threadId: row.threadId,
  key: keyOf(row, notification.id),
  ref,
  ...(firedTs !== undefined && row.announced === undefined && { lastedMs: row.arrivedTs - firedTs }),
});

/** State of the thread's message after sending; undefined: there is none that will change. */
export const afterSent = (
  { announced, rank, responded, notification, statusGiven }: Waiting,
  ref: string | undefined
) =>
  statusGiven && notification?.status !== 'resolved'
    ? {
        ref: ref ?? announced?.ref ?? '',
        priority: Math.max(rank, announced?.priority ?? 0),
        response_ts: responseTs(responded),
      }
    : undefined;

type SentColumn = (typeof SENT_COLUMNS)[number] extends `n.${infer C extends keyof NotificationRow}` ? C : never;
type SentRow = Pick<NotificationRow, 'id' | 'ts' | 'body' | SentColumn>;
const toSent = (row: SentRow): SentNotification => ({
  id: row.id,
  timestamp: isoTime(row.ts),
  title: row.title,
  body: row.body,
  category: row.category,
  dnpName: row.dnp_name,
  priority: priorityOf(row.priority),
  status: row.status as Status,
  correlationId: row.correlation_id,
  ...(row.cta_title !== null && row.cta_url !== null && { callToAction: { title: row.cta_title, url: row.cta_url } }),
});

const labelsOf = (json: string | null): Labels => (json === null ? {} : (JSON.parse(json) as Labels));

/** The newest notification of the inbox; undefined: it is empty. */
export async function newestOf(
  db: Database
): Promise<{ notification: SentNotification; details: Details } | undefined> {
  const row = await db
    .selectFrom('notifications as n')
    .select(['n.id', 'n.ts', 'n.node', ...SENT_COLUMNS])
    .select(bodyText())
    .select(labelsOfRow())
    .orderBy('n.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { notification: toSent(row), details: { node: row.node, labels: labelsOf(row.labels) } };
}

/** The newest notification of the thread of a row `o` that its channel got. */
const newestSent = sql<number>`(select m.id from notifications as m join outbox as e on e.notification_id = m.id
  where m.thread_id = o.thread_id and e.channel = o.channel and e.state in ('sent', 'merged') order by m.id desc limit 1)`;

/**
 * The first open thread whose message shows another response than it has; nothing of that thread waits for the channel.
 * @param threadId of a thread whose message shows a response, whatever it has and waits
 */
export async function changedResponse(db: Database, channel: string, threadId?: number) {
  const row = await db
    .selectFrom('channel_threads as o')
    .innerJoin('threads as t', 't.id', 'o.thread_id')
    .innerJoin('notifications as n', (join) => join.on(sql<SqlBool>`n.id = ${newestSent}`))
    .select(['o.thread_id', 'o.ref', 'o.response_ts', 'n.id', 'n.ts', 'n.node', ...SENT_COLUMNS])
    .select(bodyText())
    .select(labelsOfRow())
    .select(RESPONSE_COLUMNS)
    .where('o.channel', '=', channel)
    .where('o.ref', '<>', '')
    .where('t.state', '=', 'open')
    .where('n.status', '=', 'triggered')
    .$if(threadId !== undefined, (query) => query.where('o.thread_id', '=', threadId!).where('o.response_ts', '<>', 0))
    .$if(threadId === undefined, (query) =>
      query.where('o.response_ts', '<>', RESPONSE_TS).where((all) =>
        all.not(
          all.exists(
            all
              .selectFrom('outbox as w')
              .select('w.id')
              .whereRef('w.thread_id', '=', 'o.thread_id')
              .where('w.channel', '=', channel)
              // Steps of its escalation do not count: they end with the response.
              .where(sql<SqlBool>`w.state = 'waiting' or (w.state = 'held' and w.hold <> ${sql.lit(UNACKNOWLEDGED)})`)
          )
        )
      )
    )
    .orderBy('o.thread_id')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      threadId: row.thread_id,
      ref: row.ref,
      shown: row.response_ts,
      responded: row satisfies Responded as Responded,
      notification: toSent(row),
      details: { node: row.node, labels: labelsOf(row.labels) },
    }
  );
}
/** The key of a message. A step is a message of its own. @param notification its id */
export const keyOf = ({ id, threadId, arrivedTs, isStep }: Waiting, notification: number): string =>
  `nb-${threadId}-${notification}-${arrivedTs.toString(36)}${isStep ? `-${id}` : ''}`;
