/** Every operation of the HTTP API, described once: the OpenAPI page is made from this, and a test holds the routes to it. */
import { z } from 'zod';
import { alertmanagerWebhookSchema } from './alertmanagerWebhook.ts';
import { ENDPOINT_OPERATIONS } from './endpointApi.ts';
import { gatusWebhookSchema } from './gatusWebhook.ts';
import { grafanaWebhookSchema } from './grafanaWebhook.ts';
import {
  notificationDetailSchema,
  notificationSchema,
  payloadSchema,
  sentNotificationSchema,
  WHOLE_TEXTS,
} from './notification.ts';
import {
  categoryBodySchema,
  categorySchema,
  changedSchema,
  deleteBodySchema,
  deletedSchema,
  facetsSchema,
  filterSchema,
  listQuerySchema,
  patchSchema,
  restoreBodySchema,
  restoredSchema,
  seenBodySchema,
  unseenSchema,
  webhookAnswerSchema,
} from './query.ts';
import { chainsSchema } from './chain.ts';
import { chainHistorySchema } from './history.ts';
import { originQuerySchema, originSchema } from './origin.ts';
import { ICON_RESPONSE, PACKAGE_OPERATIONS } from './packageApi.ts';
import { provisioningSchema } from './provisioning.ts';
import { bridgeStatusSchema } from './status.ts';
import { createdTokenSchema, tokenBodySchema, tokenListSchema, tokenSchema } from './token.ts';

/** Who may call: `sender` and `admin` by token as NODEBELL_AUTH says; `open`: anybody. */
export type Access = 'sender' | 'admin' | 'open';

export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{parameters}`. */
  path: string;
  id: string;
  tag:
    | 'Notifications'
    | 'Events'
    | 'Webhooks'
    | 'Categories'
    | 'Packages'
    | 'Thresholds'
    | 'Chains'
    | 'Senders'
    | 'Service';
  summary: string;
  access: Access;
  parameters?: Record<string, string>;
  query?: z.ZodObject;
  headers?: Record<string, string>;
  /** JSON unless a media type is said. */
  body?: { schema?: z.ZodType; optional?: boolean; description?: string; mediaType?: string };
  /** By status; the media type is JSON unless said. */
  answers: Record<number, { description: string; schema?: z.ZodType; mediaType?: string }>;
  /** Statuses of problem documents, besides those that any operation can have. */
  problems: number[];
}

const BASE = '/api/v1';
const ID = { id: 'The id of a notification.' };
const REVALIDATE = { 'If-None-Match': 'The `ETag` of an earlier response: 304 when it is still the current one.' };
const NOT_MODIFIED = { description: 'Unchanged (RFC 9110, section 15.4.5).' };
const LONG_ID = { correlationId: 'May hold slashes, escaped or not.' };

function webhook(name: string, of: string, schema: z.ZodType): Operation {
  return {
    method: 'post',
    path: `${BASE}/webhooks/${name}`,
    id: `${name}Webhook`,
    tag: 'Webhooks',
    summary: `Receive alerts from ${of}: one notification for each alert; an alert that was received before changes nothing`,
    access: 'sender',
    body: { schema, description: `What ${of} sends; unknown members are ignored.` },
    answers: { 200: { description: 'What became of the alerts.', schema: webhookAnswerSchema } },
    problems: [400, 413, 415, 429, 503],
  };
}

export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: `${BASE}/notifications`,
    id: 'sendNotification',
    tag: 'Notifications',
    summary: 'Send a notification',
    access: 'sender',
    headers: { 'Idempotency-Key': 'The same key with the same body is stored once, for 24 hours.' },
    body: { schema: payloadSchema },
    answers: {
      201: { description: 'Stored, on disk.', schema: sentNotificationSchema },
      200: { description: 'Stored before under this Idempotency-Key.', schema: notificationSchema },
    },
    problems: [400, 409, 410, 413, 415, 429, 503],
  },
  {
    method: 'get',
    path: `${BASE}/notifications`,
    id: 'listNotifications',
    tag: 'Notifications',
    summary: 'List notifications, newest first; the header Link (RFC 8288, rel="next") leads to the next page',
    access: 'admin',
    query: listQuerySchema.extend({ timestamp: z.string().optional().describe("The real system's name for `from`.") }),
    answers: { 200: { description: 'One page.', schema: z.array(notificationSchema) } },
    problems: [400],
  },
  {
    method: 'get',
    path: `${BASE}/notifications/unseen`,
    id: 'countUnseen',
    tag: 'Notifications',
    summary: 'Count what nobody has seen',
    access: 'admin',
    answers: { 200: { description: 'The counts.', schema: unseenSchema } },
    problems: [],
  },
  {
    method: 'get',
    path: `${BASE}/notifications/facets`,
    id: 'listFacets',
    tag: 'Notifications',
    summary: 'Categories and packages present under a filter, with counts',
    access: 'admin',
    query: filterSchema,
    answers: { 200: { description: 'The counts.', schema: facetsSchema } },
    problems: [400],
  },
  {
    method: 'get',
    path: `${BASE}/notifications/origin`,
    id: 'findOrigin',
    tag: 'Notifications',
    summary: 'The newest notification that came of an alert, a rule or a panel',
    access: 'admin',
    query: originQuerySchema,
    answers: { 200: { description: 'What was found, and how far was looked.', schema: originSchema } },
    problems: [400],
  },
  {
    method: 'get',
    path: `${BASE}/notifications/{id}`,
    id: 'getNotification',
    tag: 'Notifications',
    summary: 'One notification with its thread',
    access: 'admin',
    parameters: ID,
    answers: { 200: { description: 'The notification.', schema: notificationDetailSchema } },
    problems: [400, 404],
  },
  {
    method: 'get',
    path: `${BASE}/notifications/{id}/icon`,
    id: 'getNotificationIcon',
    tag: 'Notifications',
    summary: 'The icon of a notification, fetched and checked by the bridge',
    access: 'admin',
    parameters: ID,
    answers: { 200: ICON_RESPONSE },
    problems: [400, 404, 429],
  },
  {
    method: 'get',
    path: `${BASE}/notifications/{id}/{text}`,
    id: 'getNotificationText',
    tag: 'Notifications',
    summary: 'A whole text of a notification, which responses cut when it is long',
    access: 'admin',
    parameters: { ...ID, text: `One of ${WHOLE_TEXTS.join(', ')}.` },
    answers: { 200: { description: 'The text as it was sent.', mediaType: 'text/plain' } },
    problems: [400, 404],
  },
  {
    method: 'patch',
    path: `${BASE}/notifications/{id}`,
    id: 'patchNotification',
    tag: 'Notifications',
    summary: 'Mark one as seen or unseen',
    access: 'admin',
    parameters: ID,
    body: { schema: patchSchema },
    answers: { 200: { description: 'The notification as it is now.', schema: notificationSchema } },
    problems: [400, 404, 415, 503],
  },
  {
    method: 'post',
    path: `${BASE}/notifications/{id}/resolve`,
    id: 'resolveNotification',
    tag: 'Notifications',
    summary: 'Close the thread by hand; kept as a member of it',
    access: 'admin',
    parameters: ID,
    answers: { 201: { description: 'The member that closed it.', schema: notificationSchema } },
    problems: [400, 404, 409, 503],
  },
  {
    method: 'put',
    path: `${BASE}/notifications/{correlationId}/seen`,
    id: 'markThreadSeen',
    tag: 'Notifications',
    summary: 'Mark whole threads as seen: those with this correlationId',
    access: 'admin',
    parameters: LONG_ID,
    answers: { 200: { description: 'How many changed.', schema: changedSchema } },
    problems: [404, 503],
  },
  {
    method: 'put',
    path: `${BASE}/notifications/seen`,
    id: 'markSeen',
    tag: 'Notifications',
    summary: 'Mark all that match the filter as seen; or the ids in the body, as seen or unseen',
    access: 'admin',
    query: filterSchema,
    body: { schema: seenBodySchema, optional: true },
    answers: { 200: { description: 'How many changed.', schema: changedSchema } },
    problems: [400, 415, 503],
  },
  {
    method: 'delete',
    path: `${BASE}/notifications/{id}`,
    id: 'deleteNotification',
    tag: 'Notifications',
    summary: 'Delete one; can be undone for 30 seconds',
    access: 'admin',
    parameters: ID,
    answers: { 200: { description: 'How to undo it.', schema: deletedSchema } },
    problems: [400, 404, 503],
  },
  {
    method: 'post',
    path: `${BASE}/notifications/delete`,
    id: 'deleteNotifications',
    tag: 'Notifications',
    summary: 'Delete ids, or all that match a filter; can be undone for 30 seconds',
    access: 'admin',
    body: { schema: deleteBodySchema },
    answers: { 200: { description: 'How many, and how to undo it.', schema: deletedSchema } },
    problems: [400, 415, 503],
  },
  {
    method: 'post',
    path: `${BASE}/notifications/restore`,
    id: 'restoreNotifications',
    tag: 'Notifications',
    summary: 'Undo a deletion',
    access: 'admin',
    body: { schema: restoreBodySchema },
    answers: { 200: { description: 'How many are back.', schema: restoredSchema } },
    problems: [400, 410, 415, 503],
  },
  {
    method: 'get',
    path: `${BASE}/events`,
    id: 'listenEvents',
    tag: 'Events',
    summary: 'Server-sent events: hello, notification, seen, deleted, restored, settings, packages, chain, reset',
    access: 'admin',
    headers: { 'Last-Event-ID': 'Resume after this event, without a gap.' },
    query: z.object({ lastEventId: z.string().optional().describe('The same, for a client that cannot set headers.') }),
    answers: { 200: { description: 'The stream; it does not end.', mediaType: 'text/event-stream' } },
    problems: [400, 503],
  },
  webhook('grafana', 'Grafana Alerting', grafanaWebhookSchema),
  { ...webhook('grafana', 'Grafana Alerting', grafanaWebhookSchema), method: 'put', id: 'grafanaWebhookPut' },
  webhook('alertmanager', 'Prometheus Alertmanager', alertmanagerWebhookSchema),
  webhook('gatus', 'Gatus', gatusWebhookSchema),
  {
    method: 'get',
    path: `${BASE}/categories`,
    id: 'listCategories',
    tag: 'Categories',
    summary: 'Categories with their switches',
    access: 'admin',
    answers: { 200: { description: 'The categories, by name.', schema: z.array(categorySchema) } },
    problems: [],
  },
  {
    method: 'put',
    path: `${BASE}/categories/{category}`,
    id: 'switchCategory',
    tag: 'Categories',
    summary: 'Switch a category on or off; what arrives while it is off is stored and marked muted',
    access: 'admin',
    parameters: { category: 'May hold slashes, escaped or not.' },
    body: { schema: categoryBodySchema },
    answers: { 200: { description: 'The category as it is now.', schema: categorySchema } },
    problems: [400, 409, 415, 503],
  },
  ...PACKAGE_OPERATIONS,
  ...ENDPOINT_OPERATIONS,
  {
    method: 'get',
    path: `${BASE}/chains`,
    id: 'listChains',
    tag: 'Chains',
    summary: 'How far the node of each package that names a chain has synced',
    access: 'admin',
    answers: { 200: { description: 'The nodes, by name.', schema: chainsSchema } },
    problems: [],
  },
  {
    method: 'get',
    path: `${BASE}/chains/{dnpName}/history`,
    id: 'chainHistory',
    tag: 'Chains',
    summary: 'How many blocks a node has been behind in the last 24 hours, from Prometheus; 404 where none is set up',
    access: 'admin',
    parameters: { dnpName: 'The name of the package.' },
    answers: { 200: { description: 'Its history.', schema: chainHistorySchema } },
    problems: [404, 503],
  },
  {
    method: 'get',
    path: `${BASE}/tokens`,
    id: 'listTokens',
    tag: 'Senders',
    summary: 'Sender tokens, without the tokens themselves',
    access: 'admin',
    answers: { 200: { description: 'The tokens.', schema: tokenListSchema } },
    problems: [],
  },
  {
    method: 'post',
    path: `${BASE}/tokens`,
    id: 'createToken',
    tag: 'Senders',
    summary: 'Make a sender token; it is shown this once',
    access: 'admin',
    body: { schema: tokenBodySchema },
    answers: { 201: { description: 'The token.', schema: createdTokenSchema } },
    problems: [400, 409, 415, 503],
  },
  {
    method: 'delete',
    path: `${BASE}/tokens/{id}`,
    id: 'revokeToken',
    tag: 'Senders',
    summary: 'Revoke a sender token',
    access: 'admin',
    parameters: { id: 'The id of a token.' },
    answers: { 200: { description: 'The token as it is now.', schema: tokenSchema } },
    problems: [404, 409, 503],
  },
  {
    method: 'get',
    path: `${BASE}/provisioning`,
    id: 'getProvisioning',
    tag: 'Service',
    summary: "What became of the operator's files",
    access: 'admin',
    answers: { 200: { description: 'The files, by name.', schema: provisioningSchema } },
    problems: [],
  },
  {
    method: 'get',
    path: `${BASE}/openapi.json`,
    id: 'openapi',
    tag: 'Service',
    summary: 'This page',
    access: 'open',
    headers: REVALIDATE,
    answers: { 200: { description: 'OpenAPI 3.1.' }, 304: NOT_MODIFIED },
    problems: [],
  },
  {
    method: 'get',
    path: `${BASE}/schemas/{name}.json`,
    id: 'schema',
    tag: 'Service',
    summary: 'A JSON Schema (2020-12)',
    access: 'open',
    parameters: { name: 'notification-payload, notification, problem, …' },
    headers: REVALIDATE,
    answers: { 200: { description: 'The schema.', mediaType: 'application/schema+json' }, 304: NOT_MODIFIED },
    problems: [404],
  },
  {
    method: 'get',
    path: `${BASE}/status`,
    id: 'status',
    tag: 'Service',
    summary: 'The bridge: its version, its clock, how it is set up, whether its store takes what arrives',
    access: 'admin',
    answers: { 200: { description: 'The bridge.', schema: bridgeStatusSchema } },
    problems: [],
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'health',
    tag: 'Service',
    summary: 'The process is alive',
    access: 'open',
    answers: { 200: { description: 'It is.', schema: z.object({ status: z.literal('ok').describe('Always "ok".') }) } },
    problems: [],
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'ready',
    tag: 'Service',
    summary: 'The store can be written',
    access: 'open',
    answers: {
      200: {
        description: 'It can.',
        schema: z.object({
          status: z.literal('ready').describe('Always "ready".'),
          version: z.string().describe('Version of the bridge.'),
        }),
      },
    },
    problems: [503],
  },
  {
    method: 'get',
    path: '/metrics',
    id: 'metrics',
    tag: 'Service',
    summary: 'Prometheus metrics; open when NODEBELL_METRICS_OPEN is true',
    access: 'admin',
    answers: { 200: { description: 'The text exposition format.', mediaType: 'text/plain' } },
    problems: [],
  },
];
