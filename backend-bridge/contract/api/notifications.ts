/** Operations: notifications. */
import { ICON_REPLY } from '../icon.ts';
import { EXPORT_TYPES } from '../exportFormat.ts';
import { listQuerySchema } from '../list.ts';
import { batchBodySchema, batchReplySchema, NDJSON } from '../batch.ts';
import { labelListSchema, labelsQuerySchema } from '../labels.ts';
import {
  notificationDetailSchema,
  notificationSchema,
  payloadSchema,
  sentNotificationSchema,
  WHOLE_TEXTS,
} from '../notification.ts';
import { originQuerySchema, originSchema } from '../origin.ts';
import {
  changedSchema,
  deleteBodySchema,
  deletedSchema,
  facetsQuerySchema,
  facetsSchema,
  filterSchema,
  patchSchema,
  resolveBodySchema,
  resolvedSchema,
  restoreBodySchema,
  restoredSchema,
  sendQuerySchema,
  seenBodySchema,
  unseenSchema,
} from '../query.ts';
import { reportQuerySchema, reportSchema } from '../report.ts';
import { VIA } from '../via.ts';
import { z } from 'zod';
import {
  NOT_PROXIED,
  content,
  created,
  del,
  get,
  idParam,
  json,
  noContent,
  ok,
  operations,
  optionalJson,
  patch,
  pathParam,
  post,
  put,
  segment,
  multiStatus,
} from '../operation.ts';

const LONG_ID = { correlationId: pathParam('May hold slashes, escaped or not.') };
const ID = { id: idParam('The id of a notification.') };
const TIMESTAMP = { timestamp: 'from' };

export const NOTIFICATIONS = operations('Notifications', {
  sendNotification: post('/notifications', 'inbox:write', {
    access: 'sender',
    summary:
      'Send a notification: stored if its title or body has text; other members that are wrong are listed in `ignored`',
    query: () => sendQuerySchema,
    headers: {
      'Idempotency-Key': 'The same key with the same body is stored once, for 24 hours.',
      ...VIA,
    },
    body: json(() => payloadSchema),
    reply: created('Stored, on disk.', () => sentNotificationSchema),
    also: [ok('Stored before under this Idempotency-Key.', () => sentNotificationSchema)],
    problems: [409, 410, 429],
  }),
  sendBatch: post('/notifications/batch', NOT_PROXIED, {
    access: 'sender',
    summary: 'Send many notifications; each is validated by itself, and a wrong one does not reject the others',
    query: () => sendQuerySchema,
    headers: {
      'Idempotency-Key': 'With the index, the key of each notification without an `idempotencyKey` of its own.',
    },
    body: json(() => batchBodySchema, {
      description: `A list or, as ${NDJSON}, one notification in each line; empty lines are skipped.`,
      otherTypes: [NDJSON],
    }),
    reply: ok('All of them are stored, on disk.', () => batchReplySchema),
    also: [multiStatus('Some failed; all others are stored, on disk.', () => batchReplySchema)],
    problems: [429],
  }),
  sendHeartbeat: post('/heartbeat', NOT_PROXIED, {
    access: 'sender',
    summary: 'Heartbeat of a sender: requires its token, has no body',
    reply: noContent('Heard.'),
    problems: [400, 429],
  }),
  listNotifications: get('/notifications', 'inbox:read', {
    summary: 'List notifications, newest first; the header Link (RFC 8288, rel="next") leads to the next page',
    query: () => listQuerySchema,
    aliases: TIMESTAMP,
    reply: ok('One page; all as JSON Lines or CSV with `format`.', () => z.array(notificationSchema), EXPORT_TYPES),
  }),
  countUnseen: get('/notifications/unseen', 'inbox:read', {
    summary: 'Count unseen notifications',
    reply: ok('The counts.', () => unseenSchema),
  }),
  listFacets: get('/notifications/facets', 'inbox:read', {
    summary: 'Categories, packages and values of a label present under a filter, with counts',
    query: () => facetsQuerySchema,
    aliases: TIMESTAMP,
    reply: ok('The counts.', () => facetsSchema),
  }),
  listLabels: get('/labels', 'inbox:read', {
    summary: 'Names of labels of stored notifications, or values of one, by their beginning',
    query: () => labelsQuerySchema,
    reply: ok('Names or values.', () => labelListSchema),
  }),
  findOrigin: get('/notifications/origin', 'inbox:read', {
    summary: 'The newest notification of an alert, a rule or a panel',
    query: () => originQuerySchema,
    reply: ok('The notifications found, and how far the search went.', () => originSchema),
  }),
  getNotification: get('/notifications/{id}', 'inbox:read', {
    summary: 'One notification with its thread',
    params: ID,
    reply: ok('The notification.', () => notificationDetailSchema),
    problems: [404],
  }),
  getNotificationIcon: get('/notifications/{id}/icon', 'inbox:read', {
    summary: 'The icon of a notification, fetched and checked by the bridge',
    params: ID,
    reply: ICON_REPLY,
    problems: [404, 429],
  }),
  getNotificationText: get('/notifications/{id}/{text}', 'inbox:read', {
    summary: 'A text of a notification as a whole; other responses truncate long ones',
    params: { ...ID, text: segment(`One of ${WHOLE_TEXTS.join(', ')}.`) },
    reply: content('The text as sent.', 'text/plain'),
    problems: [404],
  }),
  patchNotification: patch('/notifications/{id}', 'inbox:seen', {
    summary: 'Mark one as seen or unseen',
    params: ID,
    body: json(() => patchSchema),
    reply: ok('The changed notification.', () => notificationSchema),
    problems: [404],
  }),
  resolveNotification: post('/notifications/{id}/resolve', 'inbox:write', {
    summary: 'Resolve the thread by hand; recorded as a member of it',
    params: ID,
    reply: created('The member that resolved it.', () => notificationSchema),
    problems: [404, 409],
  }),
  resolveNotifications: post('/notifications/resolve', 'inbox:write', {
    summary: 'Resolve the open threads of ids, or all that match a filter, by hand; can be undone for 30 seconds',
    body: json(() => resolveBodySchema),
    reply: ok('The number resolved, and the undo token.', () => resolvedSchema),
  }),
  markThreadSeen: put('/notifications/{correlationId}/seen', 'inbox:seen', {
    summary: 'Mark whole threads as seen: those with this correlationId',
    params: LONG_ID,
    reply: ok('How many changed.', () => changedSchema),
    problems: [404],
  }),
  markSeen: put('/notifications/seen', 'inbox:seen', {
    summary: 'Mark all that match the filter, or the ids in the body, as seen or unseen',
    query: () => filterSchema,
    aliases: TIMESTAMP,
    body: optionalJson(() => seenBodySchema),
    reply: ok('How many changed.', () => changedSchema),
  }),
  deleteNotification: del('/notifications/{id}', 'inbox:write', {
    summary: 'Delete one; can be undone for 30 seconds',
    params: ID,
    reply: ok('The undo token.', () => deletedSchema),
    problems: [404],
  }),
  deleteNotifications: post('/notifications/delete', 'inbox:write', {
    summary: 'Delete ids, or all that match a filter; can be undone for 30 seconds',
    body: json(() => deleteBodySchema),
    reply: ok('The number deleted, and the undo token.', () => deletedSchema),
  }),
  restoreNotifications: post('/notifications/restore', 'inbox:write', {
    summary: 'Undo a deletion, or resolving',
    body: json(() => restoreBodySchema),
    reply: ok('The number restored.', () => restoredSchema),
    problems: [410],
  }),
  getReport: get('/report', 'inbox:read', {
    summary: 'What made noise: figures by rule, package, category or source, in weeks from Monday in UTC',
    query: () => reportQuerySchema,
    reply: ok('The report; CSV with `format`.', () => reportSchema, ['text/csv']),
  }),
});
