/** The list that DAppNode's manager reads: see {@link Read}. */
import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Notification } from '../../../contract/notification.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import { storeIn } from '../../inbox/notifications/reads.ts';
import { inList, jsonMember, jsonText } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { json, type Read } from '../../platform/storage/read.ts';

/** The newest notifications in one response. */
export const readForDappnode: Read<NotificationFilter> = async (db, filter, now) => {
  const store = storeIn(db, now);
  const all: Notification[] = [];
  let after: Awaited<ReturnType<typeof store.list>>['next'];
  let bytes = 0;
  do {
    const left = LIMITS.dappnodeListRows.value - all.length;
    const page = await store.list(filter, Math.min(left, LIMITS.listRows.value), after);
    all.push(...page.notifications);
    after = page.next;
    // A page ends at this size.
    bytes += LIMITS.listBytes.value;
  } while (after && all.length < LIMITS.dappnodeListRows.value && bytes < LIMITS.dappnodeListBytes.value);
  const extras = await extrasOf(db, all);
  return json(all.map((one) => toDappnode(one, extras.get(one.id))));
};

interface Extra {
  /** JSON. */
  isRemote: string | null;
  subscriptionEndpoint: string | null;
}

async function extrasOf(db: Database, notifications: readonly Notification[]): Promise<Map<number, Extra>> {
  const start = (text: RawBuilder<unknown>) => sql<string | null>`substr(${text}, 1, ${LIMITS.problemText.value})`;
  const rows = await db
    .selectFrom('notifications')
    .select([
      'id',
      start(jsonMember('extra', 'isRemote')).as('isRemote'),
      start(jsonText('extra', 'subscriptionEndpoint')).as('subscriptionEndpoint'),
    ])
    .where(
      inList(
        'id',
        notifications.map(({ id }) => id)
      )
    )
    .where('extra', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** A notification as DAppNode's manager reads it (DNP_DAPPMANAGER, packages/types/src/notifications.ts). */
function toDappnode(notification: Notification, extra: Extra | undefined) {
  const { id, title, body, dnpName, category, priority, status, isBanner, correlationId, seen } = notification;
  const { icon, errors, callToAction } = notification;
  const target = extra?.subscriptionEndpoint;
  return {
    id,
    /** Unix seconds. */
    timestamp: Math.floor(Date.parse(notification.timestamp) / 1000),
    seen,
    title,
    body,
    dnpName,
    category,
    priority,
    status,
    isBanner,
    isRemote: extra?.isRemote === 'true',
    ...(icon !== undefined && { icon }),
    ...(errors !== undefined && { errors }),
    ...(callToAction !== undefined && { callToAction }),
    correlationId,
    ...(target !== undefined && target !== null && { subscriptionEndpoint: target }),
  };
}
