/** Push notifications of ntfy.sh, or of a server of one's own. */
import { z } from 'zod';
import { describeChannel, tokenSchema, urlRule, urlSchema } from './descriptor.ts';

export const ntfy = describeChannel({
  label: () => 'ntfy',
  description: (t) =>
    t('channels.kind.ntfy-text', 'Push notifications on phones and desktops, also from your own server.'),
  icon: 'mobile-android',
  url: 'https://ntfy.sh',
  edits: 'audibly',
  fields: {
    topic: {
      schema: z
        .string()
        .regex(/^[-_A-Za-z0-9]{1,64}$/, { error: 'at most 64 letters, digits, hyphens and underscores' }),
      required: true,
      hidden: 'address',
      label: (t) => t('channels.field.topic', 'Topic'),
      help: (t) => t('channels.help.topic', 'Whoever knows it can read it, unless the server has access control.'),
      rule: (t) => t('channels.rule.topic', 'Up to 64 letters, digits, hyphens and underscores'),
    },
    url: {
      schema: urlSchema,
      label: (t) => t('channels.field.server', 'Server'),
      help: (t) => t('channels.help.server', 'https://ntfy.sh if empty. A private address needs a provisioning file.'),
      rule: urlRule,
    },
    token: {
      schema: tokenSchema,
      hidden: 'secret',
      label: (t) => t('channels.field.token', 'Access token'),
      help: (t) => t('channels.help.token', 'For a protected topic: ntfy token add'),
    },
    call: {
      schema: z.string().regex(/^(?:yes|\+\d{1,15})$/, { error: 'yes, or a phone number such as "+12223334444"' }),
      label: (t) => t('channels.field.ntfy-call', 'Call'),
      help: (t) =>
        t(
          'channels.help.ntfy-call',
          'A verified phone number, or yes for the first. Called once for each critical alert; needs a token.'
        ),
      rule: (t) => t('channels.rule.ntfy-call', 'yes, or a number such as +12223334444'),
    },
  },
  check: ({ call }, has) => [[call !== undefined && !has('token'), 'token', 'given where there is a call']],
});
