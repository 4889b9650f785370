/** Operations: webhooks of monitors. */
import { z } from 'zod';
import { alertmanagerWebhookSchema } from '../alertmanagerWebhook.ts';
import { cloudEventSchema, uptimeKumaSchema, zabbixSchema } from '../foreignBodies.ts';
import { gatusWebhookSchema } from '../gatusWebhook.ts';
import { grafanaWebhookSchema } from '../grafanaWebhook.ts';
import { json, ok, operations, post, put, segment } from '../operation.ts';
import { webhookAnswerSchema } from '../query.ts';
import { VIA } from '../via.ts';

const webhook = <B extends z.ZodType>(from: string, schema: () => B) => ({
  may: null,
  access: 'sender' as const,
  summary: `Receive alerts from ${from}: one notification for each alert; an alert that was received before changes nothing`,
  headers: VIA,
  body: json(schema, { description: `What ${from} sends; unknown members are ignored.` }),
  reply: ok('The result for each alert.', () => webhookAnswerSchema),
  problems: [409, 429],
});

export const WEBHOOKS = operations('Webhooks', {
  grafanaWebhook: post(
    '/webhooks/grafana',
    webhook('Grafana Alerting', () => grafanaWebhookSchema)
  ),
  // Grafana's contact point can be set to PUT.
  grafanaWebhookPut: put(
    '/webhooks/grafana',
    webhook('Grafana Alerting', () => grafanaWebhookSchema)
  ),
  alertmanagerWebhook: post(
    '/webhooks/alertmanager',
    webhook('Prometheus Alertmanager', () => alertmanagerWebhookSchema)
  ),
  gatusWebhook: post(
    '/webhooks/gatus',
    webhook('Gatus', () => gatusWebhookSchema)
  ),
  uptimeKumaWebhook: post(
    '/webhooks/uptime-kuma',
    webhook('Uptime Kuma', () => uptimeKumaSchema)
  ),
  zabbixWebhook: post(
    '/webhooks/zabbix',
    webhook('Zabbix', () => zabbixSchema)
  ),
  cloudEvents: post(
    '/webhooks/cloudevents',
    webhook('senders of CloudEvents: one, a batch, or binary mode', () => cloudEventSchema)
  ),
  mappedWebhook: post('/webhooks/mapped/{mapping}', {
    ...webhook('any program', () => z.unknown()),
    summary: 'Receive any JSON, which a provisioned mapping makes into notifications',
    params: { mapping: segment('Name of the mapping.') },
    body: json(() => z.unknown(), { description: 'What the mapping expects.' }),
    problems: [404, 409, 429, 503],
  }),
});
