/** Operations: events. */
import { z } from 'zod';
import { string } from '../schema.ts';
import { content, get, operations } from '../operation.ts';

const streamQuerySchema = z.object({
  lastEventId: string('The same, for a client that cannot set headers.').optional(),
});

export const EVENTS = operations('Events', {
  listenEvents: get('/events', 'inbox:read', {
    summary:
      'Server-sent events: hello, notification, seen, responded, deleted, restored, settings, packages, chain, reset',
    query: () => streamQuerySchema,
    headers: { 'Last-Event-ID': 'Resume after this event, without a gap.' },
    reply: content('The stream; it does not end.', 'text/event-stream'),
    problems: [503],
  }),
});
