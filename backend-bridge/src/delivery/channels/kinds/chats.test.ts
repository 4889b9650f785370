/** Chat services, against receivers that are held to what each of them documents (chats.testing.ts). */
import { describe, expect, test } from 'vitest';
import type { Channel, ChannelSettings, Outcome } from './channel.ts';
import { chatChannel, EDITING, type Name, NAMES, withChats } from './chatKinds.testing.ts';
import { send } from './kinds.testing.ts';

const chats = withChats();
const channelOf = (name: Name, change?: Partial<ChannelSettings>): Channel => chatChannel(name, chats[name], change);
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

  test('a link that is too long, or leads nowhere outside of the page, is left out; labels are cut', async () => {
    const long = { label: 'Long', url: `https://g.example/${'x'.repeat(3000)}` };
    const wide = { label: 'W'.repeat(100), url: 'https://g.example/' };
    await send(channelOf(name), { callToAction: { title: 'Path', url: '/d/host' }, actions: [long, wide, ACK] });
    expect(lastOf(name)).not.toMatch(/Long|Path|W{76}/);
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

  test.each(['discord', 'teams', 'googlechat'] as const)('%s: no address of an action is in a reason', async (name) => {
    const said = `Invalid value "${ACK.url}" or ${ACK.url.split('/').at(-1)}`;
    chats[name].reject({ status: 400, body: { message: said } });
    const reason = says('400: Invalid value "…" or …');
    expect(await send(channelOf(name), { actions: [ACK] })).toEqual({ kind: 'refused', reason });
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
