/** Operations: who is on call. */
import { schedulesSchema } from '../onCall.ts';
import { get, ok, operations } from '../operation.ts';

export const SCHEDULES = operations('Channels', {
  listSchedules: get('/schedules', {
    may: 'inbox:read',
    summary: 'Schedules, with who is on call now and next, and people with channels',
    reply: ok('The schedules.', () => schedulesSchema),
  }),
});
