/** Another bridge. */
import { nodeNameSchema } from '../notification.ts';
import { describeChannel, nameRule, tokenSchema, urlRule, urlSchema } from './descriptor.ts';

export const nodebell = describeChannel({
  label: () => 'Nodebell',
  description: (t) => t('channels.kind.nodebell-text', 'Another bridge: many nodes, one inbox.'),
  icon: 'sitemap',
  giveUpAfter: '7d',
  isForMachines: true,
  isBridge: true,
  fields: {
    url: {
      schema: urlSchema,
      required: true,
      hidden: 'address',
      label: (t) => t('channels.field.bridge', 'Address of the other bridge'),
      help: (t) =>
        t('channels.help.bridge', 'Such as https://bridge.example.org. A private address needs a provisioning file.'),
      rule: urlRule,
    },
    token: {
      schema: tokenSchema,
      required: true,
      hidden: 'secret',
      label: (t) => t('channels.field.sender-token', 'Sender token'),
      help: (t) => t('channels.help.sender-token', 'On the other bridge: nodebell token create NAME --node NAME'),
    },
    node: {
      schema: nodeNameSchema,
      required: true,
      label: (t) => t('channels.field.node', 'Name of this node'),
      help: (t) => t('channels.help.node', 'Name under which the other bridge shows its notifications, such as attic.'),
      rule: nameRule,
    },
  },
});
