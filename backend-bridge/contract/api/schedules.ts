/** Operations: who is on call. */
import { schedulesSchema } from '../onCall.ts';
import { content, get, ok, operations, segment } from '../operation.ts';

export const SCHEDULES = operations('Channels', {
  listSchedules: get('/schedules', {
    may: 'inbox:read',
    summary: 'Schedules, with who is on call now and next, and people with channels',
    reply: ok('The schedules.', () => schedulesSchema),
  }),
  getScheduleCalendar: get('/schedules/{name}/calendar', {
    may: 'inbox:read',
    summary: 'The shifts of a schedule in the next 90 days, as an iCalendar file',
    params: { name: segment('Name of the schedule.') },
    reply: content('The calendar (RFC 5545).', 'text/calendar'),
    problems: [404],
  }),
});
