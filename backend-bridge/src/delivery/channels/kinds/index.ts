/** The kinds of channels. A further one: its name in CHANNEL_TYPES, its members in contract/channel.ts, a file here. */
import type { ChannelType } from '../../../../contract/channel.ts';
import type { BatchChannel, Channel, ChannelSettings, Network } from '../channel.ts';
import { createEmail } from './email.ts';
import { createNodebell } from './nodebell.ts';
import { createNtfy, NTFY_URL } from './ntfy.ts';
import { createTelegram, TELEGRAM_URL } from './telegram.ts';
import { createWebhook } from './webhook.ts';
import { createWebPush } from './webpush.ts';

interface Kind {
  create: (settings: ChannelSettings, network: Network) => Channel | BatchChannel;
  /** Default of `url`. */
  url?: string;
  /** Whether a message can be changed, and whether anybody hears that. */
  edits?: 'silently' | 'audibly';
  /** For machines: each notification is a message of its own, and there is no limit by default. */
  isForMachines?: true;
  /** Default of `giveUpAfter`. */
  giveUpAfter?: string;
}

export const KINDS: Readonly<Record<ChannelType, Kind>> = {
  webhook: { create: createWebhook, isForMachines: true },
  ntfy: { create: createNtfy, url: NTFY_URL, edits: 'audibly' },
  telegram: { create: createTelegram, url: TELEGRAM_URL, edits: 'silently' },
  email: { create: createEmail },
  nodebell: { create: createNodebell, isForMachines: true, giveUpAfter: '7d' },
  webpush: { create: createWebPush, edits: 'silently' },
};
