/** Rows to notifications and back: the only place where the two meet. */
import { type RawBuilder, sql } from 'kysely';
import {
  DEFAULTS,
  type Notification,
  PRIORITIES,
  type Priority,
  type Source,
  STALE_AFTER_MS,
  type Status,
  type Thread,
  type ThreadState,
} from '../../../contract/notification.ts';
import type { Labels } from '../../../contract/matchers.ts';
import { isoTime, isoTimeOrNull } from '../../../contract/text.ts';
import { labelText } from '../labels/writes.ts';
import type { OwnState } from '../readers/unread.ts';
import type { NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';
import type { Incoming } from './receive.ts';
import { type ServedRow, type TextLimits, textsOf, textsOfPayload } from './texts.ts';

/** Writes a thread over its earlier row. */
export const UPDATE_THREAD = `on conflict (id) do update set ${[
  'state',
  'opened_ts',
  'closed_ts',
  'last_ts',
  'closed_by_hand',
  'banner',
  'head_id',
  'head_ts',
  'category',
  'priority',
  'count',
  'unseen',
  'burst',
  'label_set',
]
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`;

export const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);
export const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority);
export const priorityOf = (rank: number): Priority => PRIORITIES[rank] ?? 'low';

export type ThreadFields = Pick<
  ThreadRow,
  'state' | 'opened_ts' | 'closed_ts' | 'last_ts' | 'closed_by_hand' | 'count' | 'unseen'
> & { burst?: number | null; burst_name?: string | null; answered?: number };

/** Members that the store adds to a notification. */
export interface Placement {
  dnpName: string;
  correlationId: string;
  seen: 0 | 1;
  muted: 0 | 1;
  thread: ThreadFields;
}

export function isStale(state: string, lastTs: number, now: number): boolean {
  return state === 'open' && now - lastTs >= STALE_AFTER_MS;
}

export function toThread(row: ThreadFields, now: number): Thread {
  return {
    state: row.state as ThreadState,
    count: row.count,
    unseen: row.unseen,
    openedAt: isoTimeOrNull(row.opened_ts),
    closedAt: isoTimeOrNull(row.closed_ts),
    lastAt: isoTime(row.last_ts),
    stale: isStale(row.state, row.last_ts, now),
    closedByHand: row.closed_by_hand === 1,
    ...(row.burst && { burst: { id: row.burst, name: row.burst_name ?? '' } }),
  };
}

/** @param own the read state of the user, if they have their own */
export function toNotification(
  row: ServedRow,
  thread: ThreadFields,
  now: number,
  own?: OwnState,
  limits?: TextLimits
): Notification {
  return {
    id: row.id,
    timestamp: isoTime(row.ts),
    ...textsOf(row, limits),
    category: row.category,
    dnpName: row.dnp_name,
    priority: priorityOf(row.priority),
    status: row.status as Status,
    correlationId: row.correlation_id,
    isBanner: row.is_banner === 1,
    ...(row.cta_title !== null && row.cta_url !== null && { callToAction: { title: row.cta_title, url: row.cta_url } }),
    ...(row.icon !== null && { icon: row.icon }),
    ...nodeOf(row),
    ...(row.labels !== null && { labels: JSON.parse(row.labels) as Labels }),
    seen: row.seen === 1,
    ...(own && { read: !own.own_unread }),
    source: row.source as Source,
    muted: row.muted === 1,
    thread: { ...toThread(thread, now), ...(own && { unread: own.own_thread_unread }) },
  };
}

const nodeOf = ({ node, sent_ts }: Pick<NotificationRow, 'node' | 'sent_ts'>) => ({
  ...(node !== '' && { node }),
  ...(sent_ts !== null && { sentAt: isoTime(sent_ts) }),
});

/** A notification as the store would read it, from what was received and what the store added: for the response. */
export function asStored({ payload, source }: Incoming, id: number, ts: number, placed: Placement): Notification {
  const { callToAction, icon, node, sentAt, labels } = payload;
  const stored = labelText(labels);
  return {
    id,
    timestamp: isoTime(ts),
    ...textsOfPayload(payload),
    category: payload.category ?? DEFAULTS.category,
    dnpName: placed.dnpName,
    priority: payload.priority ?? DEFAULTS.priority,
    status: payload.status ?? DEFAULTS.status,
    correlationId: placed.correlationId,
    isBanner: payload.isBanner ?? false,
    ...(callToAction && { callToAction }),
    ...(icon !== undefined && { icon }),
    ...nodeOf({ node: node ?? '', sent_ts: sentAt === undefined ? null : Date.parse(sentAt) }),
    ...(stored !== undefined && { labels: JSON.parse(stored) as Labels }),
    seen: placed.seen === 1,
    source,
    muted: placed.muted === 1,
    thread: toThread(placed.thread, ts),
  };
}

/** Condition on `threads`: some of its notifications are not deleted. Of others the row stays until the deletion cannot be undone. */
export const hasMembers = (): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from notifications n where n.thread_id = threads.id)`;
