/** Which arrivals are worth a message on any page, and for how long. Pure. */
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import { isRead, type Notification } from '@nodebell/contract/notification.ts';

/** Kept while nobody looks; of more, the oldest are left to the inbox. */
export const MOST_PENDING = 50;

/** New, critical and not over. */
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

/** What waits to be told, after an event: arrivals come, what is read, deleted or over goes. Oldest first. */
export function afterEvent(pending: Notification[], event: BridgeEvent): Notification[] {
  switch (event.type) {
    case 'notification': {
      const { notification } = event.data;
      // What has come before in the same thread is told by the newest; and if that is the end of it, by none.
      const others = pending.filter((other) => !sameThread(other, notification));
      return (isWorth(notification) ? [...others, notification] : others).slice(-MOST_PENDING);
    }
    case 'seen':
      // That somebody has seen it says nothing of a person with marks of their own.
      return event.data.seen ? pending.filter((one) => one.read !== undefined || !names(event.data.ids, one)) : pending;
    case 'read':
      return event.data.read ? without(pending, event.data.ids) : pending;
    case 'deleted':
      return without(pending, event.data.ids);
    case 'reset':
      // Nobody knows what has become of them meanwhile.
      return [];
    default:
      return pending;
  }
}

/** Cut to so many letters, at the end of a word where there is one. */
export function cut(text: string, most: number): string {
  if (text.length <= most) {
    return text;
  }
  const part = text.slice(0, most - 1);
  const end = part.lastIndexOf(' ');
  return `${(end > most / 2 ? part.slice(0, end) : part).trimEnd()}…`;
}
