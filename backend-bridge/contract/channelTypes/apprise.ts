/** Whatever service an Apprise API server sends to. */
import { z } from 'zod';
import { describeChannel, ownServer } from './descriptor.ts';

export const apprise = describeChannel({
  label: () => 'Apprise',
  description: (t) =>
    t('channels.kind.apprise-text', 'More than a hundred services, over your own Apprise API server.'),
  icon: 'share-alt',
  fields: {
    url: ownServer,
    key: {
      schema: z.string().regex(/^[\w-]{1,128}$/, { error: 'at most 128 letters, digits, hyphens and underscores' }),
      required: true,
      hidden: 'secret',
      label: (t) => t('channels.field.apprise-key', 'Configuration key'),
      help: (t) => t('channels.help.apprise-key', 'The configuration in Apprise that lists the services.'),
      rule: (t) => t('channels.rule.apprise-key', 'Up to 128 letters, digits, hyphens and underscores'),
    },
    tag: {
      schema: z.string().regex(/^[A-Za-z0-9 |,_:+&-]{1,256}$/, {
        error: 'tags of letters, digits, hyphens and underscores, separated by commas or spaces',
      }),
      label: (t) => t('channels.field.tag', 'Tags'),
      help: (t) => t('channels.help.tag', 'Only services with one of these: a, b. With both: a b.'),
      rule: (t) => t('channels.rule.tag', 'Letters, digits, hyphens and underscores, separated by commas or spaces'),
    },
  },
});
