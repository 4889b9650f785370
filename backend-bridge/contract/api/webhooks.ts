/** Operations: webhooks of monitors. */
import { z } from 'zod';
import { alertmanagerWebhookSchema } from '../alertmanagerWebhook.ts';
import { cloudEventSchema, uptimeKumaSchema, zabbixSchema } from '../foreignBodies.ts';
import { gatusWebhookSchema } from '../gatusWebhook.ts';
import { grafanaWebhookSchema } from '../grafanaWebhook.ts';
import { NOT_PROXIED, json, ok, operations, post, put, segment } from '../operation.ts';
import { webhookAnswerSchema } from '../query.ts';
import { VIA } from '../via.ts';

const received = <B extends z.ZodType>(from: string, schema: () => B) => ({
  access: 'sender' as const,
  summary: `Receive alerts from ${from}: one notification for each alert; an alert that was received before changes nothing`,
  headers: VIA,
  body: json(schema, { description: `What ${from} sends; unknown members are ignored.` }),
  reply: ok('The result for each alert.', () => webhookAnswerSchema),
  problems: [409, 429],
});
const webhook = <B extends z.ZodType>(program: string, from: string, schema: () => B) =>
  post(`/webhooks/${program}`, NOT_PROXIED, received(from, schema));
const grafana = () => grafanaWebhookSchema;

export const WEBHOOKS = operations('Webhooks', {
  grafanaWebhook: webhook('grafana', 'Grafana Alerting', grafana),
  // Grafana's contact point can be set to PUT.
  grafanaWebhookPut: put('/webhooks/grafana', NOT_PROXIED, received('Grafana Alerting', grafana)),
  alertmanagerWebhook: webhook('alertmanager', 'Prometheus Alertmanager', () => alertmanagerWebhookSchema),
  gatusWebhook: webhook('gatus', 'Gatus', () => gatusWebhookSchema),
  uptimeKumaWebhook: webhook('uptime-kuma', 'Uptime Kuma', () => uptimeKumaSchema),
  zabbixWebhook: webhook('zabbix', 'Zabbix', () => zabbixSchema),
  cloudEvents: webhook('cloudevents', 'senders of CloudEvents: one, a batch, or binary mode', () => cloudEventSchema),
  mappedWebhook: post('/webhooks/mapped/{mapping}', NOT_PROXIED, {
    ...received('any program', () => z.unknown()),
    summary: 'Receive any JSON, which a provisioned mapping makes into notifications',
    params: { mapping: segment('Name of the mapping.') },
    body: json(() => z.unknown(), { description: 'What the mapping expects.' }),
    problems: [404, 409, 429, 503],
  }),
});
