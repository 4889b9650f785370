/**
 * Webhook body of Alertmanager, and the part that Grafana Alerting shares with it. Source: Prometheus documentation, "Alertmanager
 * configuration", webhook_config (payload version 4). New members are welcome: both monitors add some in minor releases.
 */
import { z } from 'zod';
import { list, looseComponent, oneOf } from './schema.ts';

/** Go writes a map that was never made as null. */
const textMap = (what: string) => z.record(z.string(), z.string()).nullish().describe(what);
const text = (what: string) => z.string().nullish().describe(what);

export const alertSchema = looseComponent('Alert', 'One alert of a webhook.', {
  status: oneOf('Whether the alert is firing or resolved.', ['firing', 'resolved']),
  labels: textMap('Identify the alert: `alertname`, `severity`, and whatever the rule adds.'),
  annotations: textMap('Words for people: `summary` becomes the title, `description` the body.'),
  startsAt: text('When it started to fire (RFC 3339).').meta({ examples: ['2026-11-21T08:10:36.309Z'] }),
  endsAt: text('When it ended; the year 1 while it is firing.').meta({ examples: ['0001-01-01T00:00:00Z'] }),
  generatorURL: text('The rule or query behind the alert.'),
  fingerprint: text('Identifies the labels. When it is missing, one is made from the labels.'),
});
export type Alert = z.output<typeof alertSchema>;

/** Number of alerts left out, as either monitor counts them. */
const truncatedAlerts = z.int().nonnegative().nullish().describe('Alerts that the monitor left out of the body.');

/** Members that the bodies of both monitors have. */
export const alertGroupShape = {
  version: text('Version of the payload: "4" for Alertmanager, "1" for Grafana.'),
  status: text('firing while one of the alerts is.'),
  receiver: text('The receiver or contact point that posts this.'),
  groupKey: text('Identifies the group of alerts.'),
  groupLabels: textMap('Labels by which the alerts are grouped.'),
  commonLabels: textMap('Labels that all alerts share.'),
  commonAnnotations: textMap('Annotations that all alerts share.'),
  externalURL: text('Where the monitor is reached.'),
  truncatedAlerts,
};

export const alertmanagerWebhookSchema = looseComponent(
  'AlertmanagerWebhook',
  'Webhook body of Alertmanager (payload version 4).',
  { ...alertGroupShape, alerts: list('One notification is made of each.', alertSchema) }
);
export type AlertmanagerWebhook = z.output<typeof alertmanagerWebhookSchema>;
