/** Bodies of other programs' APIs: the members that the bridge uses. Others are kept, never shown. */
import { z } from 'zod';
import { component, integer, list, looseComponent, oneOf, string, time } from './schema.ts';

const text = (what: string) => z.string().nullish().describe(what);
const scalar = (what: string) => z.union([z.string(), z.number()]).nullish().describe(what);

/** Source: Grafana OnCall's formatted webhook, whose members its webhook has by agreement of its users. */
export const onCallWebhookSchema = looseComponent('OnCallWebhook', 'Webhook and formatted webhook of Grafana OnCall.', {
  alert_uid: scalar('Identifies the alert: the thread.'),
  title: text('The title.'),
  message: text('The text.'),
  state: text('"ok" resolves; "alerting", and any other value, fires.'),
  image_url: text('An image; linked in the text.'),
  link_to_upstream_details: text('A link to the source of the alert.'),
});
export type OnCallWebhook = z.output<typeof onCallWebhookSchema>;

/** Source: Grafana documentation 8, "Alert notifications", webhook of legacy alerting. */
export const legacyGrafanaSchema = looseComponent('LegacyGrafanaWebhook', "Webhook of Grafana's legacy alerting.", {
  title: text('The title.'),
  ruleName: text('Name of the rule.'),
  ruleId: scalar('Id of the rule.'),
  ruleUrl: text('The rule in Grafana.'),
  state: text('"ok" resolves.'),
  message: text('The text.'),
  imageUrl: text('An image; linked in the text.'),
  evalMatches: z
    .array(z.looseObject({ metric: scalar('Name of the series.'), value: scalar('Its value.') }))
    .nullish()
    .describe('Values.'),
});
export type LegacyGrafana = z.output<typeof legacyGrafanaSchema>;

/** Source: PagerDuty developer documentation, "Send an alert event" of Events API v2. */
export const pagerDutySchema = looseComponent('PagerDutyEvent', 'An event of PagerDuty Events API v2.', {
  routing_key: string('The sender token.'),
  event_action: oneOf('trigger fires, resolve resolves; acknowledge stores nothing.', [
    'trigger',
    'acknowledge',
    'resolve',
  ]),
  dedup_key: z.string().max(255).nullish().describe('The thread. Required but for trigger, which gets a new one.'),
  payload: z
    .looseObject({
      summary: text('The title. Required for trigger.'),
      source: text('The affected system: label `source`.'),
      severity: text('critical, error, warning or info: the priority.'),
      component: text('Label `component`.'),
      group: text('Label `group`.'),
      class: text('Label `class`.'),
      custom_details: z.unknown().optional().describe('The text: listed by name.'),
    })
    .nullish()
    .describe('The event.'),
  client_url: text('A link to the monitor.'),
  links: z
    .array(z.looseObject({ href: text('The address.'), text: text('Its title.') }))
    .nullish()
    .describe('The first is the button.'),
});
export type PagerDutyEvent = z.output<typeof pagerDutySchema>;
export const pagerDutyReplySchema = component('PagerDutyReply', 'Response of PagerDuty Events API v2.', {
  status: z.literal('success').describe('Always success.'),
  message: string('Event processed.'),
  dedup_key: string('The thread.'),
});

/** Source: ntfy documentation, "Publish as JSON". */
export const ntfyPublishSchema = looseComponent('NtfyPublish', 'A message published to ntfy as JSON.', {
  topic: string('The topic: label `topic`.').min(1).max(64),
  message: text('The text.'),
  title: text('The title. Default: the first line of the text.'),
  tags: z.array(z.string()).nullish().describe('Label `tags`.'),
  priority: z.union([z.number(), z.string()]).nullish().describe('1 and 2: low; 3: medium; 4: high; 5: critical.'),
  click: text('The address of the button.'),
  icon: text('The icon.'),
  sequence_id: scalar('The thread.'),
});
export type NtfyPublish = z.output<typeof ntfyPublishSchema>;
export const ntfyMessageSchema = component('NtfyMessage', 'A message as ntfy responds with.', {
  id: string('Id of the notification.'),
  time: integer('When it was received, Unix seconds.'),
  event: z.literal('message').describe('Always message.'),
  topic: string('The topic.'),
  title: string('The title.').optional(),
  message: string('The text.'),
  priority: integer('Priority from 1 to 5.').optional(),
  tags: list('The tags.', z.string()).optional(),
  click: string('The address of the button.').optional(),
});

/** Source: Gotify API, model Message. */
export const gotifyMessageSchema = looseComponent('GotifyMessage', 'A message sent to Gotify.', {
  message: string('The text.'),
  title: text('The title. Default: the first line of the text.'),
  priority: z
    .union([z.number(), z.string()])
    .nullish()
    .describe('0 to 3: low; 4 to 7: medium; 8 and 9: high; 10: critical.'),
  extras: z.record(z.string(), z.unknown()).nullish().describe('`client::notification` with `click.url`: the button.'),
});
export type GotifyMessage = z.output<typeof gotifyMessageSchema>;
export const gotifyReplySchema = component('GotifyReply', 'A message as Gotify responds with.', {
  id: integer('Id of the notification.'),
  appid: integer('Always 0.'),
  message: string('The text.'),
  title: string('The title.'),
  priority: integer('The priority, as sent.'),
  date: time('When it was received.'),
});

/** Source: Uptime Kuma 2, notification provider "Webhook", preset application/json. */
export const uptimeKumaSchema = looseComponent('UptimeKumaWebhook', 'Webhook of Uptime Kuma.', {
  heartbeat: z
    .looseObject({
      status: z.int().nullish().describe('0: down, fires; 1: up, resolves; others: an event.'),
      msg: text('The reason: the text.'),
    })
    .nullish()
    .describe('The check. Null: a test.'),
  monitor: z
    .looseObject({
      id: scalar('The thread.'),
      name: text('The title, with the state.'),
      url: text('The address of the button.'),
    })
    .nullish()
    .describe('The monitor. Null: a test.'),
  msg: text('The text without a heartbeat.'),
});
export type UptimeKuma = z.output<typeof uptimeKumaSchema>;

const attribute = (what: string) => string(what).min(1).max(1024);
/** Source: CNCF, CloudEvents 1.0.2, "Context Attributes"; JSON event format 1.0.2. */
export const cloudEventSchema = looseComponent('CloudEvent', 'An event of CloudEvents 1.0.', {
  specversion: z.literal('1.0').describe('Version of CloudEvents.'),
  id: attribute('With `source`, identifies the event: stored once.'),
  source: attribute('Label `source`.'),
  type: attribute('The title, and label `type`.'),
  subject: text('Label `subject`; added to the title.'),
  data: z.unknown().optional().describe('Members of a notification, or what is shown as the text.'),
});
export type CloudEvent = z.output<typeof cloudEventSchema>;

/** The body that docs/connect-senders.md gives for Zabbix' media type Webhook; macros of Zabbix in brackets. */
export const zabbixSchema = looseComponent('ZabbixWebhook', "Body for Zabbix' media type Webhook.", {
  id: z
    .union([z.string().min(1), z.number()])
    .describe('{EVENT.ID}: the thread. That of the problem, also when it has recovered.'),
  value: z.union([z.enum(['0', '1']), z.literal([0, 1])]).describe('{EVENT.VALUE}: 1 fires, 0 resolves.'),
  name: string('{EVENT.NAME}: the title.').min(1),
  severity: text('{EVENT.SEVERITY}: the priority.'),
  host: text('{HOST.NAME}: label `host`.'),
  text: text('{ALERT.MESSAGE}: the text.'),
  url: text('{TRIGGER.URL}: the address of the button.'),
});
export type Zabbix = z.output<typeof zabbixSchema>;
