/** Google Chat: a webhook of a space. */
import { describeChannel, urlRule, urlSchema } from './descriptor.ts';

export const googlechat = describeChannel({
  label: () => 'Google Chat',
  description: (t) => t('channels.kind.googlechat-text', 'Cards in a space. A thread is one conversation.'),
  icon: 'google',
  fields: {
    url: {
      schema: urlSchema,
      required: true,
      hidden: 'address',
      label: (t) => t('channels.field.webhook-url', 'Webhook URL'),
      help: (t) => t('channels.help.googlechat-url', 'Apps & integrations → Webhooks of the space.'),
      rule: urlRule,
    },
  },
});
