/**
 * Body of Grafana Alerting's webhook contact point without a custom payload template. Source: Grafana documentation, "Configure webhook
 * notifications", Grafana 12 and 13.
 */
import { z } from 'zod';
import { list, looseComponent } from './schema.ts';
import { alertGroupShape, alertSchema } from './alertmanagerWebhook.ts';

const text = (what: string) => z.string().nullish().describe(what);

export const grafanaAlertSchema = alertSchema
  .extend({
    // NaN and infinities are not JSON: Grafana then sends null. They are only shown, so nothing else is refused either.
    values: z
      .record(z.string(), z.unknown())
      .nullish()
      .describe('Values of the queries by refId; null or absent when there are none, as in many resolved alerts.'),
    valueString: text('The same as text, with the labels of each value.'),
    dashboardURL: text('The dashboard named in the rule; "" when there is none.'),
    panelURL: text('The panel named in the rule; "" when there is none.'),
    silenceURL: text('Opens a silence for this alert.'),
    imageURL: text('URL of an image of the panel, if Grafana stores one.'),
    ruleUID: text('Identifies the rule.'),
  })
  .meta({ id: 'GrafanaAlert', description: 'One alert of a webhook from Grafana.' });
export type GrafanaAlert = z.output<typeof grafanaAlertSchema>;

export const grafanaWebhookSchema = looseComponent(
  'GrafanaWebhook',
  "Body of Grafana Alerting's webhook contact point.",
  {
    ...alertGroupShape,
    orgId: z.int().nullish().describe('The organisation of the contact point.'),
    title: text('Title of the whole group; each alert gets a title of its own.'),
    state: text('alerting or ok.'),
    message: text('The group as text.'),
    alerts: list('One notification is made of each.', grafanaAlertSchema),
  }
);
export type GrafanaWebhook = z.output<typeof grafanaWebhookSchema>;
