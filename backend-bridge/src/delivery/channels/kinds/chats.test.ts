/**
 * Chat services, against receivers that are held to what each of them documents (chats.testing.ts). No input may mention anybody, make a
 * link, or format.
 */
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Channel, ChannelSettings, Message, Outcome } from './channel.ts';
import {
  type Chat,
  CHATS,
  startDiscord,
  startGoogleChat,
  startMattermost,
  startRocketChat,
  startSlack,
  startTeams,
} from './chats.testing.ts';
import { make, send } from './kinds.testing.ts';

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
type Name = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Name[];
const EDITING = NAMES.filter((name) => 'edits' in KINDS[name]);

const chats = {} as Record<Name, Chat>;
beforeAll(async () => {
  for (const name of NAMES) {
    chats[name] = await KINDS[name].start();
  }
});
afterAll(() => Promise.all(Object.values(chats).map((chat) => chat.close())));

const channelOf = (name: Name, change: Partial<ChannelSettings> = {}): Channel =>
  make({ ...KINDS[name].settings(chats[name].url), ...change });
/** The last request as text. */
const lastOf = (name: Name): string => chats[name].arrived.at(-1)!.text;

const LINK = { title: 'Open it', url: 'https://g.example/d?a=1&b=(2)[3]' };
const ACK = { label: 'Acknowledge', url: 'https://bridge.example/act/the-secret_of-the~action' };

describe.each(NAMES)('%s', (name) => {
  test('shows title, text, package, link and actions', async () => {
    const sent = await send(channelOf(name), { callToAction: LINK, actions: [ACK] });
    expect(sent).toMatchObject({ kind: 'delivered' });
    for (const part of ['Disk full', 'hardware', ACK.label, ACK.url, 'https://g.example/d?a=1&b=%282%29%5B3%5D']) {
      expect(lastOf(name)).toContain(part);
    }
  });

  test.each([
    ['control characters', '<&>*`@#_'],
    ['quotes, of which JSON has two', '"\\'],
    ['characters of four bytes', '🦀'],
    ['lines', 'a\n\n'],
  ])('is accepted however long it is: %s', async (_, unit) => {
    const long = {
      title: unit.repeat(3000),
      body: unit.repeat(8000),
      dnpName: unit.repeat(500),
      category: unit.repeat(500),
    };
    const links = {
      callToAction: { title: unit.repeat(200), url: `https://g.example/${'a'.repeat(1900)}` },
      actions: Array.from({ length: 9 }, () => ({
        label: unit.repeat(200),
        url: `https://g.example/${'b'.repeat(600)}`,
      })),
    };
    for (const change of [long, { ...long, ...links }, { ...links, body: '' }]) {
      expect(await send(channelOf(name), change)).toMatchObject({ kind: 'delivered' });
    }
    expect(lastOf(name).isWellFormed()).toBe(true);
  });

  test('a resolved one, one without text and one that counts many are accepted', async () => {
    expect(await send(channelOf(name), { status: 'resolved', lastedMs: 60_000 })).toMatchObject({ kind: 'delivered' });
    expect(lastOf(name)).toMatch(/✅.*Resolved/s);
    expect(await send(channelOf(name), { body: '' })).toMatchObject({ kind: 'delivered' });
    expect(await send(channelOf(name), { count: 7, title: '7 notifications', body: '- one' })).toMatchObject({
      kind: 'delivered',
    });
    expect(lastOf(name)).not.toContain('hardware');
  });

  test('a link that is too long, or leads nowhere outside of the page, is left out', async () => {
    const long = { label: 'Long', url: `https://g.example/${'x'.repeat(3000)}` };
    await send(channelOf(name), { callToAction: { title: 'Path', url: '/d/host' }, actions: [long, ACK] });
    expect(lastOf(name)).not.toMatch(/Long|Path/);
    expect(lastOf(name)).toContain(ACK.url);
  });

  test('what is not a response of the service is retried', async () => {
    // Teams documents no body.
    if (name !== 'teams') {
      chats[name].reject({ status: 200, body: '<html>Log in</html>' });
      expect(await send(channelOf(name))).toMatchObject({ kind: 'retry', reason: /^The response is not one of / });
    }
  });

  test('Retry-After and failures of the server', async () => {
    chats[name].reject({ status: 429, headers: { 'retry-after': '7' }, body: {} }, { status: 503, body: '<html>down' });
    const reason = 'The server responds with 429.';
    expect(await send(channelOf(name))).toEqual({ kind: 'retry', reason, afterMs: 7000 });
    expect(await send(channelOf(name))).toEqual({ kind: 'retry', reason: 'The server responds with 503.' });
  });
});

const refOf = (outcome: Outcome): string => (outcome as { ref: string }).ref;

describe.each(EDITING)('%s', (name) => {
  test('changes its message; one that was deleted is replaced', async () => {
    const { messages } = chats[name];
    const first = refOf(await send(channelOf(name)));
    const count = messages.size;
    expect(first).not.toBe('');
    const resolved = { ref: first, status: 'resolved' } as const;
    expect(await send(channelOf(name), resolved)).toEqual({ kind: 'delivered', ref: first });
    expect(messages.size).toBe(count);
    expect(JSON.stringify([...messages.values()].at(-1))).toMatch(/Resolved\S* Disk full/);
    const last = [...messages.keys()].at(-1)!;
    messages.delete(last);
    messages.set(`other-${last}`, {});
    const again = refOf(await send(channelOf(name), resolved));
    expect(again).not.toBe(first);
    expect(messages.size).toBe(count + 1);
  });

  test('a failure of the change is retried, not replaced', async () => {
    const ref = refOf(await send(channelOf(name)));
    const count = chats[name].arrived.length;
    chats[name].reject({ status: 503 });
    expect(await send(channelOf(name), { ref })).toMatchObject({ kind: 'retry' });
    expect(chats[name].arrived).toHaveLength(count + 1);
  });
});

test.each(['slack, webhook', 'mattermost, webhook', 'rocketchat, webhook', 'teams'] as const)(
  '%s: a message cannot be changed, so that there is no reference',
  async (name) => {
    expect(await send(channelOf(name))).toEqual({ kind: 'delivered', ref: '' });
    expect(await send(channelOf(name), { ref: 'C1:2' })).toEqual({ kind: 'delivered', ref: '' });
  }
);

test('googlechat: messages of a thread are one conversation', async () => {
  const { messages } = chats.googlechat;
  const ref = refOf(await send(channelOf('googlechat'), { key: 'nb-first' }));
  const count = messages.size;
  const second = await send(channelOf('googlechat'), { key: 'nb-second', ref, status: 'resolved' });
  expect(second).toEqual({ kind: 'delivered', ref: 'nb-first' });
  expect(messages.size).toBe(count);
});

describe('errors', () => {
  const says = (text: string) => `The server responds with ${text}.`;
  test.each<[Name, Partial<ChannelSettings>, Outcome]>([
    ['slack, token', { token: 'wrong' }, { kind: 'retry', reason: says('invalid_auth') }],
    ['slack, token', { channel: 'C1' }, { kind: 'refused', reason: says('channel_not_found') }],
    ['slack, webhook', { url: '/services/x' }, { kind: 'refused', reason: says('404: no_service') }],
    [
      'mattermost, token',
      { token: 'wrong' },
      { kind: 'retry', reason: says('401: Invalid or expired session, please login again') },
    ],
    ['discord', { url: '/api/webhooks/1/x' }, { kind: 'refused', reason: says('404: Unknown Webhook') }],
    ['teams', { url: '/workflows/x' }, { kind: 'retry', reason: says('401: The request must be authenticated') }],
    ['googlechat', { url: '/v1/x' }, { kind: 'refused', reason: says('403: The caller does not have permission') }],
    ['rocketchat, token', { token: 'wrong' }, { kind: 'retry', reason: says('401: You must be logged in to do this') }],
    ['rocketchat, token', { channel: '#no' }, { kind: 'refused', reason: says('400: invalid-channel') }],
  ])('%s %j', async (name, change, outcome) => {
    const url = change.url === undefined ? {} : { url: `${chats[name].url}${change.url}` };
    expect(await send(channelOf(name, { ...change, ...url }))).toEqual(outcome);
  });

  test('slack: what passes is retried, and a missing scope is named', async () => {
    const name = 'slack, token';
    const error = (code: object) => ({ status: 200, headers: { 'retry-after': '30' }, body: { ok: false, ...code } });
    chats[name].reject(error({ error: 'ratelimited' }), error({ error: 'missing_scope', needed: 'chat:write' }));
    expect(await send(channelOf(name))).toEqual({ kind: 'retry', reason: says('ratelimited'), afterMs: 30_000 });
    const reason = says('missing_scope, needed: chat:write');
    expect(await send(channelOf(name))).toEqual({ kind: 'refused', reason });
  });

  test('discord: the seconds of its body have fractions', async () => {
    const body = { message: 'You are being rate limited.', retry_after: 1.337, global: false };
    chats.discord.reject({ status: 429, headers: { 'retry-after': '2' }, body });
    const reason = says('429: You are being rate limited');
    expect(await send(channelOf('discord'))).toEqual({ kind: 'retry', reason, afterMs: 1337 });
  });

  test('rocketchat: its limit is reset at a time', async () => {
    const body = { success: false, error: 'Error, too many requests. [error-too-many-requests]' };
    chats['rocketchat, token'].reject({ status: 429, headers: { 'x-ratelimit-reset': '1700000042000' }, body });
    expect(await send(channelOf('rocketchat, token'))).toMatchObject({ kind: 'retry', afterMs: 42_000 });
  });
});

/** Pieces that are markup somewhere, among any characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '@all',
          '@channel',
          '@here',
          '@everyone',
          '<!channel>',
          '<@U1>',
          '<users/all>',
          '<at>x</at>',
          '#ops',
          '~town-square',
        ],
        ...[
          '[a](http://x.example)',
          '<http://x.example|a>',
          '![a](http://x.example)',
          'https://x.example',
          'www.x.example',
          'a@x.example',
        ],
        ...[
          '**b**',
          '_i_',
          '~~s~~',
          '`c`',
          '```',
          '||s||',
          '\\',
          '&lt;',
          '&#42;',
          ':smile:',
          '{{DATE(2026-01-01T00:00:00Z)}}',
          '$x$',
        ],
        ...['\n', '\r\n', '\n    ', '\n# ', '\n> ', '\n- ', '\n1. ', '\n===', '\n---', '\n| a |', '<b>', '\t']
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 })
    ),
    { maxLength: 12 }
  )
  .map((parts) => parts.join(''));

/** Requires that nothing of a text is markup, as the service reads it. @returns what it shows */
type Read = (json: Record<string, any>) => string[];
const entities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const shown = (text: string): string => text.replaceAll(/[\s\u200b\u00a0]/g, '');

const READERS: Partial<Record<Name, Read>> = {
  'slack, token': ({ blocks }) => blocks.slice(0, 2).map(({ text }: any) => entities(text.text)),
  googlechat: ({ cardsV2: [{ card }], fallbackText }) => {
    expect(fallbackText).not.toMatch(/<users\//);
    const texts = card.sections[0].widgets.map(({ textParagraph }: any) => textParagraph.text as string);
    expect(texts.join('').replaceAll(/^<b>|<\/b>|<\/?i>/g, '')).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
    return texts.map((text: string) => entities(text.replace(/^<b>(.*)<\/b>$/s, '$1')));
  },
  teams: ({ attachments: [{ content }] }) => {
    const texts = content.body.map(({ inlines: [{ text }] }: any) => text as string);
    expect(texts.join('')).not.toContain('{{');
    return [texts[0], texts.slice(1, -1).join('')];
  },
  discord: ({ embeds: [{ title, description }] }) => {
    for (const text of [title, description]) {
      expect(text.replaceAll(/\\[^\dA-Za-z\s]/g, '')).not.toMatch(/[!#()*+\-.:<>@[\\\]_`{|}~]/);
    }
    return [title, description].map((text: string) => text.replaceAll(/\\([^\dA-Za-z\s])/g, '$1'));
  },
  'mattermost, token': ({ message }) => {
    const html = micromark(message, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    expect(html).toMatch(/^<p>\S+ <strong>[^<]*<\/strong><\/p>(?:\n<p>[^<]*<\/p>)*$/);
    const [title, ...texts] = html.split('\n<p>').map((part) => entities(part.replaceAll(/<[^<>]*>/g, '')));
    expect([title, ...texts].join('\n')).not.toMatch(/@[\w.-]/);
    expect(message).not.toMatch(/(?:^|[^&])#|~\w|:\w+:/);
    return [title!, texts.slice(0, -1).join('')];
  },
  'rocketchat, token': ({ text }) => {
    expect(text).not.toMatch(/[@#][\w.-]/);
    const [, mark, code] = /^(\S+)\n```\n(.+)\n```$/s.exec(text)!;
    expect(code).not.toMatch(/```|`$/m);
    return [`${mark} ${code}`];
  },
};

test.each(Object.entries(READERS) as [Name, Read][])('%s: no text is markup', async (name, read) => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (title, body) => {
      const message = { title: `x${title}`, body: `${body}x`, dnpName: 'p', category: 'c' } satisfies Partial<Message>;
      expect(await send(channelOf(name), message)).toMatchObject({ kind: 'delivered' });
      const text = read(chats[name].accepted.at(-1)!.json).map(shown).join('');
      // Control characters of a title become spaces.
      expect(text).toContain(shown(`Important: ${message.title}`.replaceAll(/\p{Cc}/gu, '')));
      expect(text).toContain(shown(message.body));
    }),
    { numRuns: 150 }
  );
});
