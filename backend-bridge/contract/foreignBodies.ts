/** Bodies of other programs' APIs: the members that the bridge uses. Others are kept, never shown. */
import { z } from 'zod';

const text = (what: string) => z.string().nullish().describe(what);
const scalar = (what: string) => z.union([z.string(), z.number()]).nullish().describe(what);

/** Source: Grafana OnCall's formatted webhook, whose members its webhook has by agreement of its users. */
export const onCallWebhookSchema = z
  .looseObject({
    alert_uid: scalar('Identifies the alert: the thread.'),
    title: text('The title.'),
    message: text('The text.'),
    state: text('"ok" resolves; "alerting", and any other value, fires.'),
    image_url: text('An image; linked in the text.'),
    link_to_upstream_details: text('A link to the source of the alert.'),
  })
  .meta({ id: 'OnCallWebhook', description: 'Webhook and formatted webhook of Grafana OnCall.' });
export type OnCallWebhook = z.output<typeof onCallWebhookSchema>;

/** Source: Grafana documentation 8, "Alert notifications", webhook of legacy alerting. */
export const legacyGrafanaSchema = z
  .looseObject({
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
  })
  .meta({ id: 'LegacyGrafanaWebhook', description: "Webhook of Grafana's legacy alerting." });
export type LegacyGrafana = z.output<typeof legacyGrafanaSchema>;

/** Source: PagerDuty developer documentation, "Send an alert event" of Events API v2. */
export const pagerDutySchema = z
  .looseObject({
    routing_key: z.string().describe('The sender token.'),
    event_action: z
      .enum(['trigger', 'acknowledge', 'resolve'])
      .describe('trigger fires, resolve resolves; acknowledge stores nothing.'),
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
  })
  .meta({ id: 'PagerDutyEvent', description: 'An event of PagerDuty Events API v2.' });
export type PagerDutyEvent = z.output<typeof pagerDutySchema>;
export const pagerDutyReplySchema = z
  .object({
    status: z.literal('success').describe('Always success.'),
    message: z.string().describe('Event processed.'),
    dedup_key: z.string().describe('The thread.'),
  })
  .meta({ id: 'PagerDutyReply', description: 'Response of PagerDuty Events API v2.' });

/** Source: ntfy documentation, "Publish as JSON". */
export const ntfyPublishSchema = z
  .looseObject({
    topic: z.string().min(1).max(64).describe('The topic: label `topic`.'),
    message: text('The text.'),
    title: text('The title. Default: the first line of the text.'),
    tags: z.array(z.string()).nullish().describe('Label `tags`.'),
    priority: z.union([z.number(), z.string()]).nullish().describe('1 and 2: low; 3: medium; 4: high; 5: critical.'),
    click: text('The address of the button.'),
    icon: text('The icon.'),
    sequence_id: scalar('The thread.'),
  })
  .meta({ id: 'NtfyPublish', description: 'A message published to ntfy as JSON.' });
export type NtfyPublish = z.output<typeof ntfyPublishSchema>;
export const ntfyMessageSchema = z
  .object({
    id: z.string().describe('Id of the notification.'),
    time: z.int().describe('When it was received, Unix seconds.'),
    event: z.literal('message').describe('Always message.'),
    topic: z.string().describe('The topic.'),
    title: z.string().optional().describe('The title.'),
    message: z.string().describe('The text.'),
    priority: z.int().optional().describe('Priority from 1 to 5.'),
    tags: z.array(z.string()).optional().describe('The tags.'),
    click: z.string().optional().describe('The address of the button.'),
  })
  .meta({ id: 'NtfyMessage', description: 'A message as ntfy responds with.' });

/** Source: Gotify API, model Message. */
export const gotifyMessageSchema = z
  .looseObject({
    message: z.string().describe('The text.'),
    title: text('The title. Default: the first line of the text.'),
    priority: z
      .union([z.number(), z.string()])
      .nullish()
      .describe('0 to 3: low; 4 to 7: medium; 8 and 9: high; 10: critical.'),
    extras: z
      .record(z.string(), z.unknown())
      .nullish()
      .describe('`client::notification` with `click.url`: the button.'),
  })
  .meta({ id: 'GotifyMessage', description: 'A message sent to Gotify.' });
export type GotifyMessage = z.output<typeof gotifyMessageSchema>;
export const gotifyReplySchema = z
  .object({
    id: z.int().describe('Id of the notification.'),
    appid: z.int().describe('Always 0.'),
    message: z.string().describe('The text.'),
    title: z.string().describe('The title.'),
    priority: z.int().describe('The priority, as sent.'),
    date: z.iso.datetime().describe('When it was received.'),
  })
  .meta({ id: 'GotifyReply', description: 'A message as Gotify responds with.' });

/** Source: Uptime Kuma 2, notification provider "Webhook", preset application/json. */
export const uptimeKumaSchema = z
  .looseObject({
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
  })
  .meta({ id: 'UptimeKumaWebhook', description: 'Webhook of Uptime Kuma.' });
export type UptimeKuma = z.output<typeof uptimeKumaSchema>;

const attribute = (what: string) => z.string().min(1).max(1024).describe(what);
/** Source: CNCF, CloudEvents 1.0.2, "Context Attributes"; JSON event format 1.0.2. */
export const cloudEventSchema = z
  .looseObject({
    specversion: z.literal('1.0').describe('Version of CloudEvents.'),
    id: attribute('With `source`, identifies the event: stored once.'),
    source: attribute('Label `source`.'),
    type: attribute('The title, and label `type`.'),
    subject: text('Label `subject`; added to the title.'),
    data: z.unknown().optional().describe('Members of a notification, or what is shown as the text.'),
  })
  .meta({ id: 'CloudEvent', description: 'An event of CloudEvents 1.0.' });
export type CloudEvent = z.output<typeof cloudEventSchema>;

/** The body that docs/connect-senders.md gives for Zabbix' media type Webhook; macros of Zabbix in brackets. */
export const zabbixSchema = z
  .looseObject({
    id: z
      .union([z.string().min(1), z.number()])
      .describe('{EVENT.ID}: the thread. That of the problem, also when it has recovered.'),
    value: z.union([z.enum(['0', '1']), z.literal([0, 1])]).describe('{EVENT.VALUE}: 1 fires, 0 resolves.'),
    name: z.string().min(1).describe('{EVENT.NAME}: the title.'),
    severity: text('{EVENT.SEVERITY}: the priority.'),
    host: text('{HOST.NAME}: label `host`.'),
    text: text('{ALERT.MESSAGE}: the text.'),
    url: text('{TRIGGER.URL}: the address of the button.'),
  })
  .meta({ id: 'ZabbixWebhook', description: "Body for Zabbix' media type Webhook." });
export type Zabbix = z.output<typeof zabbixSchema>;
