/** Rows to lines of an archive and back. Pure. */
import type { Archived } from '../../../contract/archive.ts';
import type { Labels } from '../../../contract/matchers.ts';
import type { Source, Status } from '../../../contract/notification.ts';
import { isoTime } from '../../../contract/text.ts';
import { flag, priorityOf, rankOf } from '../notifications/rows.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';

/** With its labels as JSON; null: none. */
export type LabelledRow = NotificationRow & { labels: string | null };

/** A row as a line of an archive. */
export function toArchived(row: LabelledRow): Archived {
  return {
    id: row.id,
    timestamp: isoTime(row.ts),
    title: row.title,
    body: row.body,
    category: row.category,
    dnpName: row.dnp_name,
    priority: priorityOf(row.priority),
    status: row.status as Status,
    statusGiven: row.status_given === 1,
    correlationId: row.correlation_id,
    isBanner: row.is_banner === 1,
    ...(row.banner !== row.is_banner && { banner: row.banner === 1 }),
    seen: row.seen === 1,
    muted: row.muted === 1,
    source: row.source as Source,
    ...(row.cta_title !== null && row.cta_url !== null && { callToAction: { title: row.cta_title, url: row.cta_url } }),
    ...(row.icon !== null && { icon: row.icon }),
    ...(row.errors !== null && { errors: row.errors }),
    ...(row.extra !== null && { extra: JSON.parse(row.extra) as Record<string, unknown> }),
    ...(row.node !== '' && { node: row.node }),
    ...(row.sent_ts !== null && { sentAt: isoTime(row.sent_ts) }),
    ...(row.labels !== null && { labels: JSON.parse(row.labels) as Labels }),
  };
}

/** A row that is seen: an import makes nothing unread. @param label_set LabelSetRow.id; 0: none */
export function fromArchived(one: Archived, thread_id: number, label_set: number): NotificationRow {
  return {
    id: one.id,
    thread_id,
    ts: Date.parse(one.timestamp),
    title: one.title,
    body: one.body,
    category: one.category,
    dnp_name: one.dnpName,
    priority: rankOf(one.priority),
    status: one.status,
    status_given: flag(one.statusGiven),
    correlation_id: one.correlationId,
    is_banner: flag(one.isBanner),
    banner: flag(one.banner ?? one.isBanner),
    seen: 1,
    muted: flag(one.muted),
    hidden: flag(one.errors !== undefined),
    turned: 0,
    source: one.source,
    cta_title: one.callToAction?.title ?? null,
    cta_url: one.callToAction?.url ?? null,
    icon: one.icon ?? null,
    errors: one.errors ?? null,
    extra: one.extra ? JSON.stringify(one.extra) : null,
    node: one.node ?? '',
    sent_ts: one.sentAt === undefined ? null : Date.parse(one.sentAt),
    label_set,
  };
}
