/** Channels by type. */
import type { ChannelType } from '../../../../contract/channelTypes/index.ts';
import type { BatchChannel, Channel, ChannelSettings, Network } from './channel.ts';
import { createEmail } from './email.ts';
import { createNodebell } from './nodebell.ts';
import { createNtfy } from './ntfy.ts';
import { createTelegram } from './telegram.ts';
import { createWebhook } from './webhook.ts';
import { createWebPush } from './webpush.ts';

type Create = (settings: ChannelSettings, network: Network) => Channel | BatchChannel;

export const KINDS: Readonly<Record<ChannelType, Create>> = {
  webhook: createWebhook,
  ntfy: createNtfy,
  telegram: createTelegram,
  email: createEmail,
  nodebell: createNodebell,
  webpush: createWebPush,
};
