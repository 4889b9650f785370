/** Channels by type. */
import type { ChannelType } from '../../../../contract/channelTypes/index.ts';
import type { BatchChannel, Channel, ChannelSettings, Network } from './channel.ts';
import { createApprise } from './apprise.ts';
import { createEmail } from './email.ts';
import { createGotify } from './gotify.ts';
import { createMatrix } from './matrix.ts';
import { createNodebell } from './nodebell.ts';
import { createNtfy } from './ntfy.ts';
import { createPushover } from './pushover.ts';
import { createTelegram } from './telegram.ts';
import { createTwilio } from './twilio.ts';
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
  gotify: createGotify,
  pushover: createPushover,
  matrix: createMatrix,
  apprise: createApprise,
  twilio: createTwilio,
};
