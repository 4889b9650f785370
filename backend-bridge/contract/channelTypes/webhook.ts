/** Signed JSON. */
import { describeChannel, text, urlRule, urlSchema } from './descriptor.ts';

export const webhook = describeChannel({
  label: (t) => t('channels.kind.webhook', 'Webhook'),
  description: (t) => t('channels.kind.webhook-text', 'Signed JSON to a program of your own.'),
  icon: 'link',
  isForMachines: true,
  fields: {
    url: {
      schema: urlSchema,
      required: true,
      hidden: 'address',
      label: (t) => t('channels.field.url', 'URL'),
      help: (t) =>
        t('channels.help.url', 'Notifications are posted to it. A private address needs a provisioning file.'),
      rule: urlRule,
    },
    secret: {
      schema: text(4096),
      hidden: 'secret',
      label: (t) => t('channels.field.secret', 'Signing key'),
      help: (t) => t('channels.help.secret', 'The receiver verifies the signature with it: openssl rand -hex 32'),
    },
  },
});
