/** Discord: a webhook of a channel. */
import { describeChannel, urlRule, urlSchema } from './descriptor.ts';

export const discord = describeChannel({
  label: () => 'Discord',
  description: (t) => t('channels.kind.discord-text', 'Messages of a webhook. A resolved alert edits its message.'),
  icon: 'discord',
  edits: 'silently',
  fields: {
    url: {
      schema: urlSchema,
      required: true,
      hidden: 'address',
      label: (t) => t('channels.field.webhook-url', 'Webhook URL'),
      help: (t) => t('channels.help.discord-url', 'Edit Channel → Integrations → Webhooks → Copy Webhook URL.'),
      rule: urlRule,
    },
  },
});
