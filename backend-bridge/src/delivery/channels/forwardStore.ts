/** Reads whole notifications that wait for another bridge. */
import { sql } from 'kysely';
import type { Labels } from '../../../contract/matchers.ts';
import type { Status } from '../../../contract/notification.ts';
import { isoTime } from '../../../contract/text.ts';
import { priorityOf } from '../../inbox/notifications/rows.ts';
import { labelsOfRow } from '../../inbox/notifications/texts.ts';
import { storedVia } from './via.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import type { Forwarded } from './kinds/channel.ts';

/** A row of the outbox. */
export interface WaitingWhole {
  id: number;
  threadId: number;
  /** When it was received, by the bridge's own clock. */
  ts: number;
  /** UTC milliseconds at which it arrived. */
  arrivedTs: number;
  rank: number;
  turn: 'opens' | 'resolves' | 'none';
  /** Undefined: it has been removed. */
  forwarded: Omit<Forwarded, 'idempotencyKey' | 'via'> | undefined;
  /** Bridges through which it has come, without this one. */
  via: readonly string[];
}

const bytesOf = (column: string) => sql<number>`coalesce(octet_length(${sql.ref(column)}), 0)`;

/** The first ones by arrival: at most `rows`, and at most so many `bytes` of texts, but always one. */
export async function readBatch(
  db: Database,
  channel: string,
  { rows: most, bytes }: { rows: number; bytes: number }
): Promise<WaitingWhole[]> {
  const waiting = await db
    .selectFrom('outbox as o')
    .leftJoin('notifications as n', 'n.id', 'o.notification_id')
    .select(['o.id', 'o.notification_id', 'o.thread_id', 'o.ts', 'o.via'])
    .select(sql<number>`${bytesOf('n.title')} + ${bytesOf('n.body')}`.as('bytes'))
    .where('o.channel', '=', channel)
    .where('o.state', '=', sql.lit<'waiting'>('waiting'))
    .orderBy('o.id')
    .limit(most)
    .execute();
  let left = bytes;
  const end = waiting.findIndex((row, index) => (left -= row.bytes) < 0 && index > 0);
  const taken = waiting.slice(0, end < 0 ? undefined : end);
  const found = await db
    .selectFrom('notifications as n')
    .selectAll('n')
    .select(labelsOfRow())
    .where(
      inList(
        'n.id',
        taken.map((row) => row.notification_id)
      )
    )
    .execute();
  const byId = new Map(found.map((row) => [row.id, row]));
  return taken.map(({ id, notification_id, thread_id, ts, via }) => {
    const row = byId.get(notification_id);
    return {
      id,
      threadId: thread_id,
      ts,
      arrivedTs: row?.ts ?? 0,
      rank: row?.priority ?? 0,
      turn: row?.status_given !== 1 ? 'none' : row.status === 'resolved' ? 'resolves' : 'opens',
      forwarded: row && toForwarded(row),
      via: storedVia(via),
    };
  });
}

const toForwarded = (row: NotificationRow & { labels: string | null }): WaitingWhole['forwarded'] => ({
  title: row.title,
  body: row.body,
  category: row.category,
  dnpName: row.dnp_name,
  priority: priorityOf(row.priority),
  ...(row.status_given === 1 && { status: row.status as Status }),
  correlationId: row.correlation_id,
  ...(row.is_banner === 1 && { isBanner: true }),
  ...(row.cta_title !== null && row.cta_url !== null && { callToAction: { title: row.cta_title, url: row.cta_url } }),
  ...(row.icon !== null && { icon: row.icon }),
  ...(row.node !== '' && { node: row.node }),
  sentAt: isoTime(row.sent_ts ?? row.ts),
  ...(row.labels !== null && { labels: JSON.parse(row.labels) as Labels }),
});
