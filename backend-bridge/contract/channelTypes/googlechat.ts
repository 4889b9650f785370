/** Google Chat: a webhook of a space. */
import { describeChannel, webhookUrl } from './descriptor.ts';

export const googlechat = describeChannel({
  label: () => 'Google Chat',
  description: (t) => t('channels.kind.googlechat-text', 'Cards in a space. A thread is one conversation.'),
  icon: 'google',
  fields: {
    url: {
      ...webhookUrl,
      help: (t) => t('channels.help.googlechat-url', 'Apps & integrations → Webhooks of the space.'),
    },
  },
});
