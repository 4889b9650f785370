/** Channels by type. */
import type { ChannelType } from '../../../../contract/channelTypes/index.ts';
import type { BatchChannel, Channel, ChannelSettings, Network } from './channel.ts';
import { createApprise } from './apprise.ts';
import { createDiscord } from './discord.ts';
import { createEmail } from './email.ts';
import { createGoogleChat } from './googlechat.ts';
import { createGotify } from './gotify.ts';
import { createMatrix } from './matrix.ts';
import { createMattermost } from './mattermost.ts';
import { createNodebell } from './nodebell.ts';
import { createNtfy } from './ntfy.ts';
import { createPushover } from './pushover.ts';
import { createRocketChat } from './rocketchat.ts';
import { createSlack } from './slack.ts';
import { createTeams } from './teams.ts';
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
  slack: createSlack,
  mattermost: createMattermost,
  discord: createDiscord,
  teams: createTeams,
  googlechat: createGoogleChat,
  rocketchat: createRocketChat,
  nodebell: createNodebell,
  webpush: createWebPush,
  gotify: createGotify,
  pushover: createPushover,
  matrix: createMatrix,
  apprise: createApprise,
  twilio: createTwilio,
};
