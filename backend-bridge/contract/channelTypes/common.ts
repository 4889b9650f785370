/** Fields of all channel types. */
import { LIMITS } from '../limits.ts';
import { messageActionsSchema } from '../messageAction.ts';
import { nodeNameSchema } from '../notification.ts';
import { duration } from '../time.ts';
import {
  type ChannelField,
  describeFields,
  GIVE_UP_AFTER,
  httpUrl,
  text,
  type Translate,
  urlRule,
  whole,
} from './descriptor.ts';

export const channelName = nodeNameSchema.meta({ examples: ['on-call'] });

/** Not of types for machines, bridges and devices. */
export const ACTIONS_FIELD = describeFields({
  actions: {
    schema: messageActionsSchema,
    description: 'Actions that messages offer to everybody who reads them. Default: none.',
    element: 'choices',
    options: (t) => [
      { value: 'acknowledge', label: t('channels.action.acknowledge', 'Acknowledge') },
      { value: 'snooze', label: t('channels.action.snooze', 'Snooze 1 h') },
      { value: 'resolve', label: t('channels.action.resolve', 'Resolve') },
    ],
    label: (t) => t('channels.field.actions', 'Actions in messages'),
    help: (t) =>
      t('channels.help.actions', 'Everybody who reads the messages may do this, in the name of the channel.'),
  },
});
/** Fields in Liquid. Of types that show texts to people only; the bridge validates the syntax. */
export const TEMPLATES = ['titleTemplate', 'bodyTemplate'] as const;
export type TemplateMember = (typeof TEMPLATES)[number];
export const isTemplate = (key: string): boolean => (TEMPLATES as readonly string[]).includes(key);

/** Characters of a template. */
export const MAX_TEMPLATE = 4096;
const template = {
  schema: text(MAX_TEMPLATE),
  element: 'template',
  rule: (t: Translate) => t('channels.rule.template', 'At most {{max, number}} characters', { max: MAX_TEMPLATE }),
} satisfies Partial<ChannelField>;

/** In the form, below "More settings". */
export const COMMON_FIELDS = describeFields({
  perMinute: {
    schema: whole(1, 1_000_000),
    description: `Messages in a minute; what is beyond becomes one message that counts. Default: ${LIMITS.channelPerMinute.value}; of a webhook: no limit. Not of type nodebell.`,
    element: 'number',
    label: (t) => t('channels.field.per-minute', 'Messages per minute'),
    help: (t, { isForMachines }) =>
      isForMachines
        ? t('channels.help.per-minute-webhook', 'No limit if empty. Above the limit, one message counts the rest.')
        : t('channels.help.per-minute', '{{limit}} if empty. Above the limit, one message counts the rest.', {
            limit: LIMITS.channelPerMinute.value,
          }),
    rule: (t) => t('channels.rule.per-minute', 'A number from 1'),
  },
  giveUpAfter: {
    schema: duration('smhd', LIMITS.channelGiveUpDays.value, '30m, 12h or 2d'),
    description:
      'How long a notification is retried before it counts as undelivered. Default: 24h; of type nodebell: 7d.',
    label: (t) => t('channels.field.give-up', 'Retry for'),
    help: (t, { giveUpAfter = GIVE_UP_AFTER }) =>
      t(
        'channels.help.give-up',
        '{{time}} if empty. Such as 30m, 12h or 2d. Then a notification counts as undelivered.',
        {
          time: giveUpAfter,
        }
      ),
    rule: (t) => t('channels.rule.give-up', 'A duration such as 30m, 12h or 2d, at most 30d'),
  },
  inboxUrl: {
    schema: httpUrl.meta({ examples: ['https://grafana.example.org/a/nodebell-app/inbox'] }),
    label: (t) => t('channels.field.inbox-url', 'Link to the inbox'),
    help: (t) => t('channels.help.inbox-url', 'For messages without a link of their own.'),
    rule: urlRule,
  },
  titleTemplate: {
    ...template,
    schema: template.schema.meta({ examples: ['{{ priority | upcase }}: {{ title }}'] }),
    description: 'Title of messages of one notification, in Liquid. Not of types webhook and nodebell.',
    label: (t) => t('channels.field.title-template', 'Title template'),
    help: (t) =>
      t('channels.help.title-template', 'Liquid, such as {{example}}. Standard title if empty.', {
        example: '{{ title }}',
      }),
  },
  bodyTemplate: {
    ...template,
    schema: template.schema.meta({ examples: ['{{ body }} ({{ labels.instance }})'] }),
    description: 'Text of messages of one notification, in Liquid. Not of types webhook and nodebell.',
    label: (t) => t('channels.field.body-template', 'Text template'),
    help: (t) =>
      t('channels.help.body-template', 'Liquid, such as {{example}}. Standard text if empty.', {
        example: '{{ body }} ({{ labels.instance }})',
      }),
  },
});
