/** Discord: a webhook of a channel. */
import { z } from 'zod';
import { describeChannel, webhookUrl } from './descriptor.ts';

export const discord = describeChannel({
  label: () => 'Discord',
  description: (t) => t('channels.kind.discord-text', 'Messages of a webhook. A resolved alert edits its message.'),
  icon: 'discord',
  edits: 'silently',
  returnsPresses: 'publicKey',
  fields: {
    url: {
      ...webhookUrl,
      help: (t) => t('channels.help.discord-url', 'Edit Channel → Integrations → Webhooks → Copy Webhook URL.'),
    },
    publicKey: {
      schema: z.string().regex(/^[0-9a-fA-F]{64}$/, { error: '64 hexadecimal digits' }),
      advanced: true,
      label: (t) => t('channels.field.public-key', 'Public key of the application'),
      help: (t) =>
        t(
          'channels.help.public-key',
          'For the buttons of “Actions in messages”, of a webhook that a bot of the application has created.'
        ),
      rule: (t) => t('channels.rule.public-key', '64 hexadecimal digits'),
    },
  },
});
