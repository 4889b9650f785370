/** Channels of chat services, each with a token and with a webhook. */
import { afterAll, beforeAll } from 'vitest';
import { startGoogleChat, startTeams } from './cards.testing.ts';
import type { Channel, ChannelSettings } from './channel.ts';
import { type Chat, CHATS, startDiscord, startMattermost, startRocketChat, startSlack } from './chats.testing.ts';
import { make } from './kinds.testing.ts';

type Settings = Partial<ChannelSettings> & Pick<ChannelSettings, 'type'>;
interface Kind {
  start: () => Promise<Chat>;
  settings: (url: string) => Settings;
  /** Its messages can be changed. */
  edits?: true;
}
const { token, userId, channel } = CHATS;

const KINDS = {
  'slack, token': {
    start: startSlack,
    settings: (url) => ({ type: 'slack', url: `${url}/api`, token, channel }),
    edits: true,
  },
  'slack, webhook': { start: startSlack, settings: (url) => ({ type: 'slack', url: `${url}${CHATS.slackHook}` }) },
  'mattermost, token': {
    start: startMattermost,
    settings: (url) => ({ type: 'mattermost', url: `${url}/`, token, channel }),
    edits: true,
  },
  'mattermost, webhook': {
    start: startMattermost,
    settings: (url) => ({ type: 'mattermost', url: `${url}${CHATS.hook}` }),
  },
  discord: {
    start: startDiscord,
    settings: (url) => ({ type: 'discord', url: `${url}${CHATS.discordHook}` }),
    edits: true,
  },
  teams: { start: startTeams, settings: (url) => ({ type: 'teams', url: `${url}${CHATS.teamsHook}` }) },
  googlechat: { start: startGoogleChat, settings: (url) => ({ type: 'googlechat', url: `${url}${CHATS.googleHook}` }) },
  'rocketchat, token': {
    start: startRocketChat,
    settings: (url) => ({ type: 'rocketchat', url, token, userId, channel: '#ops' }),
    edits: true,
  },
  'rocketchat, webhook': {
    start: startRocketChat,
    settings: (url) => ({ type: 'rocketchat', url: `${url}${CHATS.hook}` }),
  },
} satisfies Record<string, Kind>;
export type Name = keyof typeof KINDS;
export const NAMES = Object.keys(KINDS) as Name[];
export const EDITING = NAMES.filter((name) => 'edits' in KINDS[name]);

/** Starts the services for the tests of a file. @returns them, once these run */
export function withChats(names: readonly Name[] = NAMES): Record<Name, Chat> {
  const chats = {} as Record<Name, Chat>;
  beforeAll(async () => {
    for (const name of names) {
      chats[name] = await KINDS[name].start();
    }
  });
  afterAll(() => Promise.all(Object.values(chats).map((chat) => chat.close())));
  return chats;
}

export const chatChannel = (name: Name, { url }: Chat, change: Partial<ChannelSettings> = {}): Channel =>
  make({ ...KINDS[name].settings(url), ...change });
