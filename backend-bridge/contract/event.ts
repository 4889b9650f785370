/** Server-sent events of GET /events. The id of an event grows; a client that sends it back misses nothing. */
import { z } from 'zod';
import { chainEventSchema } from './chain.ts';
import { notificationSchema } from './notification.ts';

const someIds = z.array(z.int()).nullable().describe('Which; null when they are too many to name: load again.');

export const eventSchemas = {
  hello: z.object({}).describe('The stream is open. Only events after its id follow.'),
  notification: z.object({ notification: notificationSchema }).describe('A notification arrived.'),
  seen: z
    .object({ ids: someIds, seen: z.boolean().describe('As seen, or as unseen.') })
    .describe('Notifications were marked.'),
  read: z
    .object({ ids: someIds, read: z.boolean().describe('As read, or as unread.') })
    .describe(
      'You marked notifications, in this tab or another. Sent to that person only, if each person has a read state.'
    ),
  responded: z
    .object({ ids: someIds })
    .describe(
      'Threads were acknowledged, commented, assigned or snoozed, or that has ended: the newest notification of each. A snooze of your own is sent to you only.'
    ),
  deleted: z.object({ ids: someIds }).describe('Notifications were deleted.'),
  restored: z.object({ ids: someIds }).describe('A deletion was undone.'),
  settings: z
    .object({
      category: z.string().optional().describe('The category whose switch was changed.'),
      dnpName: z
        .string()
        .optional()
        .describe('The package for which something was set, or took effect. Neither: any of them.'),
      correlationId: z.string().optional().describe('The endpoint, where it is one.'),
    })
    .describe('A switch or a threshold was changed, or what was set took effect in a monitor.'),
  packages: z
    .object({ dnpName: z.string().describe('Which.') })
    .describe('A package was registered, updated or removed.'),
  chain: chainEventSchema.describe(
    'The state of nodes changed. It has no id and is not stored: load the chains again after reconnecting.'
  ),
  reset: z.object({}).describe('Missed events are no longer stored: load everything again.'),
} as const;

/** Events that are sent to connected clients and not stored: they carry the id of the event before them. */
export const PASSING_EVENTS = ['chain'] as const satisfies readonly EventType[];

/** Name of a server-sent event. */
export type EventType = keyof typeof eventSchemas;
export type EventData<T extends EventType = EventType> = z.infer<(typeof eventSchemas)[T]>;
/** One event as the browser hears it. */
export type BridgeEvent = { [T in EventType]: { id: number; type: T; data: EventData<T> } }[EventType];
