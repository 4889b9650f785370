/** The row of a notification that arrives. */
import { DEFAULTS } from '../../../contract/notification.ts';
import type { NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';
import type { Incoming } from './receive.ts';
import { flag, rankOf } from './rows.ts';
import { concernsBanner } from './thread.ts';

/** A notification with its id, and the key of its thread. */
export interface Placed {
  item: Incoming;
  now: number;
  steady: number;
  id: number;
  correlationId: string;
  dnpName: string;
  /** Empty: none. */
  node: string;
  /** 0: none. */
  labelSet: number;
}

export interface Muted {
  categories: Set<string>;
  endpoint: (dnpName: string, correlationId: string) => boolean;
}

const linkOf = (link: Incoming['payload']['callToAction']): Pick<NotificationRow, 'cta_title' | 'cta_url'> => ({
  cta_title: link?.title ?? null,
  cta_url: link?.url ?? null,
});

export function toRow(
  { item, now, id, correlationId, dnpName, node, labelSet }: Placed,
  thread: ThreadRow,
  muted: Muted
): NotificationRow {
  const { payload, source, extra, ignored } = item;
  const category = payload.category ?? DEFAULTS.category;
  const status = payload.status ?? DEFAULTS.status;
  const is_banner = flag(payload.isBanner ?? false);
  return {
    id,
    thread_id: thread.id,
    ts: now,
    title: payload.title,
    body: payload.body,
    category,
    dnp_name: dnpName,
    priority: rankOf(payload.priority ?? DEFAULTS.priority),
    status,
    status_given: flag(payload.status !== undefined),
    correlation_id: correlationId,
    is_banner,
    banner: flag(concernsBanner(thread, { is_banner, status })),
    // A resolve by an admin is not unread.
    seen: flag(source === 'admin'),
    // Endpoints are of packages on this host.
    muted: flag(muted.categories.has(category) || (node === '' && muted.endpoint(dnpName, correlationId))),
    hidden: flag(payload.errors !== undefined),
    // Known once the thread has it.
    turned: 0,
    source,
    ...linkOf(payload.callToAction),
    icon: payload.icon ?? null,
    errors: payload.errors ?? null,
    // The member is the bridge's (SET_BY_BRIDGE), also where it is undefined.
    extra: extra || ignored ? JSON.stringify({ ...extra, ignored }) : null,
    node,
    sent_ts: payload.sentAt === undefined ? null : Date.parse(payload.sentAt),
    label_set: labelSet,
  };
}
