/** Notifications of browsers. */
import { z } from 'zod';
import { describeChannel } from './descriptor.ts';

export const webpush = describeChannel({
  label: (t) => t('channels.kind.webpush', 'Web push'),
  description: (t) =>
    t('channels.kind.webpush-text', 'Notifications of browsers, for those who choose “Notify me on this device”.'),
  icon: 'bell',
  edits: 'silently',
  hasDevices: true,
  fields: {
    subject: {
      schema: z
        .string()
        .max(320)
        .regex(/^(?:mailto:[^\s<>@,;"]+@[^\s<>@,;"]+|https:\/\/[^\s/]+\S*)$/, {
          error: 'a contact such as "mailto:admin@example.org", or an https: address',
        })
        .meta({ examples: ['mailto:admin@example.org'] }),
      required: true,
      label: (t) => t('channels.field.subject', 'Contact'),
      help: (t) => t('channels.help.subject', 'For the operators of push services, such as mailto:admin@example.org.'),
      rule: (t) => t('channels.rule.subject', 'mailto: with an address, or an https: address'),
    },
  },
});
