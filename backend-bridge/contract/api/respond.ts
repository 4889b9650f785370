/** Operations: respond. */
import { notificationDetailSchema } from '../notification.ts';
import {
  acknowledgeBodySchema,
  acknowledgeManySchema,
  assignBodySchema,
  assignedSchema,
  assignManySchema,
  commentBodySchema,
  peopleSchema,
  respondedSchema,
  snoozeBodySchema,
  snoozeManySchema,
} from '../respond.ts';
import {
  coveredSchema,
  silenceBodySchema,
  silenceChangeSchema,
  silencedBodySchema,
  silencePreviewSchema,
  silenceQuerySchema,
  silenceSchema,
  silencesQuerySchema,
  silencesSchema,
} from '../silence.ts';
import {
  created,
  del,
  get,
  idParam,
  json,
  noContent,
  ok,
  operations,
  optionalJson,
  post,
  put,
  segment,
} from '../operation.ts';

const COMMENT_ID = { id: idParam('The id of a comment.') };
const ID = { id: idParam('The id of a notification.') };

export const RESPOND = operations('Respond', {
  acknowledgeNotification: post('/notifications/{id}/acknowledge', 'inbox:write', {
    summary:
      'Acknowledge the thread: new alerts in it notify nobody until the priority rises, or it fires again after it resolved',
    params: ID,
    body: optionalJson(() => acknowledgeBodySchema),
    reply: ok('The notification with its thread.', () => notificationDetailSchema),
    problems: [404],
  }),
  unacknowledgeNotification: del('/notifications/{id}/acknowledge', 'inbox:write', {
    summary: 'Remove the acknowledgement of the thread',
    params: ID,
    reply: ok('The notification with its thread.', () => notificationDetailSchema),
    problems: [404],
  }),
  acknowledgeNotifications: post('/notifications/acknowledge', 'inbox:write', {
    summary: 'Acknowledge the threads of ids, or all that match a filter; or remove their acknowledgements',
    body: json(() => acknowledgeManySchema),
    reply: ok('Which threads changed.', () => respondedSchema),
  }),
  addComment: post('/notifications/{id}/comments', 'inbox:write', {
    summary: 'Comment on the thread: plain text, found by searches',
    params: ID,
    body: json(() => commentBodySchema),
    reply: created('The notification with its thread.', () => notificationDetailSchema),
    problems: [404, 409],
  }),
  editComment: put('/comments/{id}', 'inbox:write', {
    summary: 'Edit a comment of your own',
    params: COMMENT_ID,
    body: json(() => commentBodySchema),
    reply: noContent('Edited.'),
    problems: [404],
  }),
  deleteComment: del('/comments/{id}', 'inbox:write', {
    summary: 'Delete a comment of your own; an admin may delete any of their organization',
    params: COMMENT_ID,
    reply: noContent('Deleted.'),
    problems: [404],
  }),
  snoozeNotification: post('/notifications/{id}/snooze', 'inbox:write', {
    summary: 'Snooze the thread until a time, or until its priority rises or it resolves',
    params: ID,
    body: json(() => snoozeBodySchema),
    reply: ok('The notification with its thread.', () => notificationDetailSchema),
    problems: [404, 409],
  }),
  unsnoozeNotification: del('/notifications/{id}/snooze', 'inbox:write', {
    summary: 'End the snooze of the thread',
    params: ID,
    reply: ok('The notification with its thread.', () => notificationDetailSchema),
    problems: [404, 409],
  }),
  setSnooze: put('/notifications/{id}/snooze', 'inbox:seen', {
    summary: 'The same as POST; through Grafana, Viewers are allowed PUT only',
    params: ID,
    body: json(() => snoozeBodySchema),
    reply: ok('The notification with its thread.', () => notificationDetailSchema),
    problems: [404, 409],
  }),
  snoozeNotifications: put('/notifications/snooze', 'inbox:seen', {
    summary: 'Snooze the threads of ids, or all that match a filter; or end their snoozes',
    body: json(() => snoozeManySchema),
    reply: ok('Which threads changed.', () => respondedSchema),
    problems: [409],
  }),
  assignNotifications: post('/notifications/assignee', 'inbox:write', {
    summary: 'Assign the threads of ids, or all that match a filter, to a person, or unassign them',
    body: json(() => assignManySchema),
    reply: ok('Which threads changed.', () => assignedSchema),
  }),
  assignNotification: post('/notifications/{id}/assignee', 'inbox:write', {
    summary: 'Assign the thread to a person',
    params: ID,
    body: json(() => assignBodySchema),
    reply: ok('The notification with its thread.', () => notificationDetailSchema),
    problems: [404],
  }),
  unassignNotification: del('/notifications/{id}/assignee', 'inbox:write', {
    summary: 'Unassign the thread',
    params: ID,
    reply: ok('The notification with its thread.', () => notificationDetailSchema),
    problems: [404],
  }),
  listSilences: get('/silences', 'inbox:read', {
    summary: 'Silences of the bridge, of Grafana and of Alertmanagers, and the threads that they cover',
    query: () => silencesQuerySchema,
    reply: ok('At most ten seconds old.', () => silencesSchema),
  }),
  changeSilence: put('/silences/{silence}', 'inbox:write', {
    summary: 'Extend, end or renew a silence, with the service account of the bridge',
    params: { silence: segment('Its id.') },
    body: json(() => silenceChangeSchema),
    reply: ok('The silence; renewed, it has another id.', () => silenceSchema.pick({ id: true })),
    problems: [404, 409, 502],
  }),
  saveSilence: post('/notifications/{id}/silences', 'inbox:write', {
    summary: 'Silence alerts at their source, or change a silence, with the service account of the bridge',
    params: ID,
    body: json(() => silenceBodySchema),
    reply: created('The silence.', () => silenceSchema.pick({ id: true })),
    problems: [404, 409, 502],
  }),
  previewSilence: post('/notifications/{id}/silences/preview', 'inbox:write', {
    summary: 'Count the alerts that a silence would cover now',
    params: ID,
    body: json(() => silencePreviewSchema),
    reply: ok('How many.', () => coveredSchema),
    problems: [404, 409, 502],
  }),
  recordSilence: post('/notifications/{id}/silences/record', 'inbox:write', {
    summary: 'Record a silence that was created, changed or ended in Grafana; sends nothing there',
    params: ID,
    body: json(() => silencedBodySchema),
    reply: noContent('Recorded.'),
    problems: [404],
  }),
  endSilence: del('/notifications/{id}/silences/{silence}', 'inbox:write', {
    summary: 'End a silence with the service account of the bridge',
    params: { ...ID, silence: segment('Its id.') },
    query: () => silenceQuerySchema,
    reply: noContent('Ended.'),
    problems: [404, 409, 502],
  }),
  listPeople: get('/people', 'inbox:read', {
    summary: 'Users of Grafana to whom threads can be assigned: those of your organisation who have opened the inbox',
    reply: ok('The people, by name.', () => peopleSchema),
  }),
});
