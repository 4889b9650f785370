/** Operations: who is on call. */
import { overrideSchema, schedulesQuerySchema, schedulesSchema, shownOverrideSchema } from '../onCall.ts';
import { content, created, del, get, json, noContent, ok, operations, post, segment } from '../operation.ts';

const NAME = { name: segment('The name of a schedule.') };

export const SCHEDULES = operations('Channels', {
  listSchedules: get('/schedules', 'inbox:read', {
    summary: 'Schedules, with who is on call now and next, and people with channels',
    query: () => schedulesQuerySchema,
    reply: ok('The schedules.', () => schedulesSchema),
  }),
  addOverride: post('/schedules/{name}/overrides', 'inbox:write', {
    summary: 'Add an override: a person is on call instead of all others; also for steps of open alerts',
    params: NAME,
    body: json(() => overrideSchema),
    reply: created('The override.', () => shownOverrideSchema),
    problems: [404, 409],
  }),
  removeOverride: del('/schedules/{name}/overrides/{id}', 'inbox:write', {
    summary: 'Remove an override that was added; those of provisioning files are changed there',
    params: { ...NAME, id: segment('The id of an override.') },
    reply: noContent('Removed.'),
    problems: [404],
  }),
  getScheduleCalendar: get('/schedules/{name}/calendar', 'inbox:read', {
    summary: 'The shifts of a schedule in the next 90 days, as an iCalendar file',
    params: NAME,
    reply: content('The calendar (RFC 5545).', 'text/calendar'),
    problems: [404],
  }),
});
