/** Rows of the outbox, as they are sent. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Status } from '../../../contract/notification.ts';
import { isoTime } from '../../../contract/text.ts';
import { priorityOf } from '../../inbox/notifications/rows.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { SentNotification } from './kinds/channel.ts';
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
  /** Whether it is sent for a step of an escalation: as a message of its own. */
  isStep: boolean;
  /** The message of its thread. */
  announced: { ref: string; priority: number } | undefined;
}

/** Rows that wait, are held or were sent, with their notifications and the messages of their threads. */
export const outboxRows = (db: Database, channel: string) =>
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
    ])
    .select(['n.id as notification_id', 'n.ts as arrived_ts', 'n.title', 'n.category', 'n.dnp_name', 'n.priority'])
    .select(['n.status', 'n.status_given', 'n.correlation_id', 'n.cta_title', 'n.cta_url'])
    .select(sql<string>`substr(n.body, 1, ${sql.lit(LIMITS.channelText.value)})`.as('body'))
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
  isStep: row.escalation !== null,
  announced: row.ref === null ? undefined : { ref: row.ref, priority: row.announced_priority ?? 0 },
  notification:
    row.notification_id === null
      ? undefined
      : {
          id: row.notification_id,
          timestamp: isoTime(row.arrived_ts!),
          title: row.title!,
          body: row.body,
          category: row.category!,
          dnpName: row.dnp_name!,
          priority: priorityOf(row.priority!),
          status: row.status as Status,
          correlationId: row.correlation_id!,
          ...(row.cta_title !== null &&
            row.cta_url !== null && { callToAction: { title: row.cta_title, url: row.cta_url } }),
        },
});

/** The key of a message. A step is a message of its own. @param notification its id */
export const keyOf = ({ id, threadId, arrivedTs, isStep, announced }: Waiting, notification: number): string =>
  `nb-${threadId}-${notification}-${arrivedTs.toString(36)}${isStep && announced ? `-${id}` : ''}`;
