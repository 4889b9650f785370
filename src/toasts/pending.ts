/** Arrivals that are shown as toasts. Pure. */
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import { isRead, type Notification } from '@nodebell/contract/notification.ts';

/** The most notifications kept while no tab is visible; the oldest are dropped. */
export const MOST_PENDING = 50;

/** New, critical and not resolved. */
function isWorth(notification: Notification): boolean {
  const { priority, status, muted, errors, thread } = notification;
  return (
    priority === 'critical' &&
    status !== 'resolved' &&
    thread.state !== 'resolved' &&
    !isRead(notification) &&
    !muted &&
    errors === undefined
  );
}

const sameThread = (a: Notification, b: Notification): boolean =>
  a.dnpName === b.dnpName && a.correlationId === b.correlationId;

/** Null names all. */
const names = (ids: readonly number[] | null, { id }: Notification): boolean => ids === null || ids.includes(id);

const without = (pending: Notification[], ids: readonly number[] | null): Notification[] =>
  pending.filter((one) => !names(ids, one));

/**
 * The pending toasts after an event: adds arrivals, removes read, deleted and resolved ones. Oldest first.
 * @param calm whether an arrival is reported: components/calm.ts
 */
export function afterEvent(
  pending: Notification[],
  event: BridgeEvent,
  calm: (arrival: Notification) => boolean = () => true
): Notification[] {
  switch (event.type) {
    case 'notification': {
      const { notification } = event.data;
      // Only the newest of a thread is shown, and none once it is resolved.
      const others = pending.filter((other) => !sameThread(other, notification));
      return (isWorth(notification) && calm(notification) ? [...others, notification] : others).slice(-MOST_PENDING);
    }
    case 'seen':
      // Seen by somebody else does not matter to a user with a read state of their own.
      return event.data.seen ? pending.filter((one) => one.read !== undefined || !names(event.data.ids, one)) : pending;
    case 'read':
      return event.data.read ? without(pending, event.data.ids) : pending;
    case 'deleted':
      return without(pending, event.data.ids);
    case 'reset':
      // Their state is unknown after a reset.
      return [];
    default:
      return pending;
  }
}
