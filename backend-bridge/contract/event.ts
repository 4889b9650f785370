/** Server-sent events of GET /events. The id of an event grows; a client that sends it back misses nothing. */
import { z } from 'zod';
import { boolean, nullable, object, string } from './schema.ts';
import { chainEventSchema } from './chain.ts';
import { notificationSchema } from './notification.ts';

const someIds = nullable('Which; null when they are too many to name: load again.', z.array(z.int()));

export const eventSchemas = {
  hello: object('The stream is open. Only events after its id follow.', {}),
  notification: object('A notification arrived.', { notification: notificationSchema }),
  seen: object('Notifications were marked.', { ids: someIds, seen: boolean('As seen, or as unseen.') }),
  read: object(
    'You marked notifications, in this tab or another. Sent to that person only, if each person has a read state.',
    { ids: someIds, read: boolean('As read, or as unread.') }
  ),
  responded: object(
    'Threads were acknowledged, commented, assigned or snoozed, or that has ended: the newest notification of each. A snooze of your own is sent to you only.',
    { ids: someIds }
  ),
  deleted: object('Notifications were deleted.', { ids: someIds }),
  restored: object('A deletion was undone.', { ids: someIds }),
  settings: object('A switch or a threshold was changed, or what was set took effect in a monitor.', {
    category: string('The category whose switch was changed.').optional(),
    dnpName: string('The package for which something was set, or took effect. Neither: any of them.').optional(),
    correlationId: string('The endpoint, where it is one.').optional(),
  }),
  packages: object('A package was registered, updated or removed.', { dnpName: string('Which.') }),
  chain: chainEventSchema.describe(
    'The state of nodes changed. It has no id and is not stored: load the chains again after reconnecting.'
  ),
  reset: object('Missed events are no longer stored: load everything again.', {}),
} as const;

/** Events that are sent to connected clients and not stored: they carry the id of the event before them. */
export const PASSING_EVENTS = ['chain'] as const satisfies readonly EventType[];

/** Name of a server-sent event. */
export type EventType = keyof typeof eventSchemas;
export type EventData<T extends EventType = EventType> = z.infer<(typeof eventSchemas)[T]>;
/** One event as the browser hears it. */
export type BridgeEvent = { [T in EventType]: { id: number; type: T; data: EventData<T> } }[EventType];
