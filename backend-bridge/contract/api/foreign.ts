/** Operations: APIs of other programs, and the paths of Grafana OnCall. */
import { z } from 'zod';
import {
  gotifyMessageSchema,
  gotifyReplySchema,
  ntfyMessageSchema,
  ntfyPublishSchema,
  onCallWebhookSchema,
  pagerDutyReplySchema,
  pagerDutySchema,
} from '../foreignBodies.ts';
import { GOTIFY_BASE, NTFY_BASE, ONCALL_BASE, ONCALL_TYPES, PAGERDUTY_BASE } from '../foreignApis.ts';
import { LIMITS } from '../limits.ts';
import {
  NOT_PROXIED,
  accepted,
  binary,
  content,
  empty,
  getRoot,
  json,
  ok,
  operations,
  postRoot,
  putRoot,
  segment,
} from '../operation.ts';
import { VIA } from '../via.ts';

const sender = { access: 'sender', headers: VIA, problems: [409, 429] } as const;
const unread = { ...sender, problems: [400, 409, 413, 429] } as const;
const ONCALL_PARAMS = {
  type: segment(`Type of the integration: one of ${ONCALL_TYPES.join(', ')}.`),
  key: segment('A sender token.'),
};
const toTopic = {
  ...unread,
  summary: 'Publish a message as to ntfy; title, priority and others as headers or query parameters',
  params: { topic: segment('The topic: label `topic`.') },
  body: { ...binary('text/plain', 'The text. Any media type.'), optional: true },
  reply: ok('The message.', () => ntfyMessageSchema),
} as const;
const asJson = {
  ...sender,
  summary: 'Publish a message as to ntfy, as JSON',
  body: json(() => ntfyPublishSchema),
  reply: ok('The message.', () => ntfyMessageSchema),
} as const;
const heartbeat = {
  access: 'sender',
  summary: 'Heartbeat of a sender, by the path of Grafana OnCall',
  params: ONCALL_PARAMS,
  problems: [400, 404, 429],
} as const;

export const FOREIGN = operations('Other APIs', {
  onCallAlerts: postRoot(`${ONCALL_BASE}/{type}/{key}`, NOT_PROXIED, {
    ...sender,
    summary: 'Receive alerts by the paths of Grafana OnCall',
    params: ONCALL_PARAMS,
    body: json(() => onCallWebhookSchema, { description: 'What the type of the integration accepts.' }),
    reply: ok('Stored.', () => z.literal('Ok.')),
    problems: [404, 409, 429],
  }),
  onCallHeartbeat: postRoot(`${ONCALL_BASE}/{type}/{key}/heartbeat`, NOT_PROXIED, {
    ...heartbeat,
    reply: empty('Heard.'),
  }),
  onCallHeartbeatGet: getRoot(`${ONCALL_BASE}/{type}/{key}/heartbeat`, NOT_PROXIED, {
    ...heartbeat,
    reply: content('Heard.', 'application/json'),
  }),
  pagerDutyEvent: postRoot(PAGERDUTY_BASE, NOT_PROXIED, {
    ...sender,
    tokenInBody: true,
    summary: 'Receive an event as PagerDuty Events API v2',
    body: json(() => pagerDutySchema, {
      limits: { limit: LIMITS.pagerDutyBytes.value, elements: LIMITS.bodyElements.value },
    }),
    reply: accepted('Stored, or acknowledged if such a thread is open.', () => pagerDutyReplySchema),
  }),
  ntfyPublish: postRoot(`${NTFY_BASE}/{topic}`, NOT_PROXIED, toTopic),
  ntfyPublishPut: putRoot(`${NTFY_BASE}/{topic}`, NOT_PROXIED, toTopic),
  ntfyPublishJson: postRoot(NTFY_BASE, NOT_PROXIED, asJson),
  ntfyPublishJsonPut: putRoot(NTFY_BASE, NOT_PROXIED, asJson),
  gotifyMessage: postRoot(`${GOTIFY_BASE}/message`, NOT_PROXIED, {
    ...sender,
    summary: 'Send a message as to Gotify; the token as X-Gotify-Key or bearer',
    body: json(() => gotifyMessageSchema, {
      otherTypes: ['application/x-www-form-urlencoded', 'multipart/form-data'],
    }),
    reply: ok('The message.', () => gotifyReplySchema),
  }),
});
