/** Push notifications of Pushover. */
import { z } from 'zod';
import { describeChannel, tokenSchema } from './descriptor.ts';

export const pushover = describeChannel({
  label: () => 'Pushover',
  description: (t) =>
    t(
      'channels.kind.pushover-text',
      'Push notifications on phones, which may repeat until somebody acknowledges them.'
    ),
  icon: 'mobile-android',
  url: 'https://api.pushover.net',
  fields: {
    token: {
      schema: tokenSchema,
      required: true,
      hidden: 'secret',
      label: (t) => t('channels.field.application-token', 'Application token'),
      help: (t) => t('channels.help.pushover-token', 'On pushover.net: Create an Application/API Token.'),
    },
    user: {
      schema: z.string().regex(/^[A-Za-z0-9]{1,64}$/, { error: 'the key of a user or a group: letters and digits' }),
      required: true,
      hidden: 'address',
      label: (t) => t('channels.field.pushover-user', 'User or group key'),
      rule: (t) => t('channels.rule.pushover-user', 'Letters and digits'),
    },
    emergency: {
      schema: z.enum(['never', 'critical']).meta({ default: 'never' }),
      element: 'select',
      options: (t) => [
        { value: 'never', label: t('channels.emergency.never', 'Never') },
        { value: 'critical', label: t('channels.emergency.critical', 'Critical notifications') },
      ],
      label: (t) => t('channels.field.emergency', 'Repeat until acknowledged'),
      help: (t) =>
        t('channels.help.emergency', 'In Pushover, each minute for at most an hour. A resolved alert ends it.'),
    },
  },
});
