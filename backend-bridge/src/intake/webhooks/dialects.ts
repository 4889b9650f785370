/** The adapters: one entry for each operation that receives alerts or messages of another program. */
import type { RequestHandler } from 'express';
import type { FOREIGN } from '../../../contract/api/foreign.ts';
import type { WEBHOOKS } from '../../../contract/api/webhooks.ts';
import {
  gotifyMessageSchema,
  ntfyPublishSchema,
  pagerDutySchema,
  uptimeKumaSchema,
  zabbixSchema,
} from '../../../contract/foreignBodies.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { rawBody } from '../../platform/http/body.ts';
import { type Dialect, oneOf, parseText } from './dialect.ts';
import { fromGatusText } from './fromGatus.ts';
import { fromGotify } from './fromGotify.ts';
import { fromNtfyTopic, ofMessage } from './fromNtfy.ts';
import { fromMapped } from './fromMapped.ts';
import { fromOnCall } from './fromOnCall.ts';
import { fromPagerDuty } from './fromPagerDuty.ts';
import { fromCloudEvents } from './fromCloudEvents.ts';
import { fromZabbix } from './fromZabbix.ts';
import { fromUptimeKuma } from './fromUptimeKuma.ts';
import { fromAlertmanager, fromGrafana, withinLimit } from './group.ts';
import { formBody } from './formBody.ts';
import { gotifyReply, ntfyReply, pagerDutyReply } from './replies.ts';

type Received = keyof typeof WEBHOOKS | Exclude<keyof typeof FOREIGN, `onCallHeartbeat${string}`>;

const GROUP = { limit: LIMITS.webhookBodyBytes.value, elements: LIMITS.webhookBodyElements.value };
const group = rawBody(GROUP);
/** A message of a sender: the limits of any body. */
const message = rawBody();

/**
 * Gatus sends no Content-Type by default. Neither does a cross-origin page that sends bytes without a type, which must be rejected; but
 * a browser always adds an Origin (Fetch standard, "append a request Origin header").
 */
const jsonUnlessSaid: RequestHandler = (req, _res, next) => {
  if (req.headers['content-type'] === undefined && req.headers.origin === undefined) {
    req.headers['content-type'] = 'application/json';
  }
  next();
};

/**
 * @param signed checks the signature of Grafana; undefined: no signature is required
 * @param prepare evaluates the mapping of the path
 */
export function dialectsOf(
  signed: RequestHandler | undefined,
  prepare?: NonNullable<Dialect['prepare']>
): Record<Received, Dialect> {
  const grafana: Dialect = {
    before: [...group, ...(signed ? [signed] : [])],
    read: (posted) => fromGrafana(withinLimit(parseText(posted.text))),
    unnamed: signed ? 'signed' : 'open',
  };
  const ntfyTopic: Dialect = {
    before: rawBody({ anyType: true, optional: true, elements: Infinity }),
    read: fromNtfyTopic,
    reply: ntfyReply,
  };
  const ntfyJson: Dialect = {
    // The command line of ntfy sends JSON without a type.
    before: rawBody({ anyType: true }),
    read: oneOf(ntfyPublishSchema, (body) => ({ ok: true, value: ofMessage(body) })),
    reply: ntfyReply,
  };
  return {
    grafanaWebhook: grafana,
    grafanaWebhookPut: grafana,
    alertmanagerWebhook: { before: group, read: (posted) => fromAlertmanager(withinLimit(parseText(posted.text))) },
    // A closure, so that the module is loaded when it is first used.
    gatusWebhook: { before: [jsonUnlessSaid, ...group], read: (posted) => fromGatusText(posted), retries: 'body' },
    uptimeKumaWebhook: { before: message, read: oneOf(uptimeKumaSchema, fromUptimeKuma), retries: 'body' },
    zabbixWebhook: { before: message, read: oneOf(zabbixSchema, fromZabbix), retries: 'body' },
    cloudEvents: { before: rawBody({ ...GROUP, optional: true, otherTypes: ['text/plain'] }), read: fromCloudEvents },
    mappedWebhook: { before: message, ...(prepare && { prepare }), read: fromMapped, retries: 'body' },
    onCallAlerts: { before: group, read: fromOnCall, retries: 'body', reply: () => ({ body: 'Ok.' }) },
    // The guard needs its token, so its bytes have been read.
    pagerDutyEvent: { before: [], read: oneOf(pagerDutySchema, fromPagerDuty), retries: 'body', reply: pagerDutyReply },
    ntfyPublish: ntfyTopic,
    ntfyPublishPut: ntfyTopic,
    ntfyPublishJson: ntfyJson,
    ntfyPublishJsonPut: ntfyJson,
    gotifyMessage: { before: formBody(), read: oneOf(gotifyMessageSchema, fromGotify), reply: gotifyReply },
  };
}
