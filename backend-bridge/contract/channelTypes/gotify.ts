/** Push notifications of a Gotify server. */
import { describeChannel, tokenSchema, ownServer } from './descriptor.ts';

export const gotify = describeChannel({
  label: () => 'Gotify',
  description: (t) => t('channels.kind.gotify-text', 'Push notifications of your own Gotify server.'),
  icon: 'mobile-android',
  fields: {
    url: ownServer,
    token: {
      schema: tokenSchema,
      required: true,
      hidden: 'secret',
      label: (t) => t('channels.field.application-token', 'Application token'),
      help: (t) => t('channels.help.gotify-token', 'In Gotify: Apps, Create application.'),
    },
  },
});
