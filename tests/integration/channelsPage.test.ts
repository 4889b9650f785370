/** Channels and routes that are added on the page, of a whole bridge with receivers on this machine. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Undelivered } from '../../backend-bridge/contract/channel.ts';
import { startHook, startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { TEST_ENGINE } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import {
  bridgeWith,
  CHANNELS,
  closing,
  listOf,
  LOCAL,
  routesTo,
  send,
  setRoutes,
  titles,
  until,
} from './channelsPage.testing.ts';

test('a channel that is added, tested and routed delivers, also after a restart', async () => {
  const ntfy = await closing(startNtfy());
  const bridge = await bridgeWith();
  const push = { name: 'push', type: 'ntfy', url: ntfy.url, topic: 'the-topic', token: 'the-token' };
  expect(await bridge.call('POST', `${CHANNELS}/test`, push)).toEqual({ delivered: true });
  expect((await listOf(bridge)).channels).toEqual([]);
  expect((await bridge.request('POST', CHANNELS, push)).status).toBe(204);
  const list = await listOf(bridge);
  expect(list.channels).toMatchObject([
    { name: 'push', disabled: false, settings: { url: ntfy.url }, has: ['topic', 'token'], routes: [] },
  ]);
  expect(list.channels[0]).not.toHaveProperty('file');
  expect((await setRoutes(bridge, { routes: [{ channels: ['push'], priority: 'high' }] })).status).toBe(204);
  await send(bridge, 'low');
  await send(bridge, 'hot', { priority: 'critical' });
  await until(() => expect(titles(ntfy)).toEqual(['Test', 'hot']));
  expect(ntfy.accepted[1]!.headers.authorization).toBe('Bearer the-token');
  await bridge.restart();
  await send(bridge, 'again', { priority: 'critical' });
  await until(() => expect(titles(ntfy)).toEqual(['Test', 'hot', 'again']));
});

test('no response and no file contains a secret', async () => {
  const bridge = await bridgeWith();
  const url = 'http://127.0.0.1:1/the-path-is-hidden';
  await bridge.call('POST', CHANNELS, { name: 'hook', type: 'webhook', url, secret: 'the-signing-secret' });
  await bridge.call('POST', CHANNELS, {
    name: 'push',
    type: 'ntfy',
    topic: 'the-secret-topic',
    token: 'the-secret-token',
  });
  const chat = { type: 'rocketchat', userId: 'u', channel: '#c', token: 'the-secret-token' };
  await bridge.call('POST', CHANNELS, { name: 'chat', ...chat, url: 'https://h.example/the-path-is-hidden' });
  const upper = { url: 'https://bridge.example.org', node: 'attic', token: 'the-secret-of-the-bridge' };
  await bridge.call('POST', CHANNELS, { name: 'upper', type: 'nodebell', ...upper });
  const shown = JSON.stringify([await listOf(bridge), await bridge.call('GET', '/api/v1/audit')]);
  expect(shown).not.toMatch(/the-(?:path|signing|secret)-|sealed/);
  await bridge.stop();
  if (TEST_ENGINE !== 'postgres') {
    const files = readdirSync(bridge.dataDir).map((name) => readFileSync(path.join(bridge.dataDir, name), 'latin1'));
    expect(files.filter((text) => text.includes('"sealed":"'))).not.toEqual([]);
    expect(files.filter((text) => /the-(?:path|signing|secret)-/.test(text))).toEqual([]);
  }
});

test('a route of the page does what its channels can', async () => {
  const bridge = await bridgeWith();
  const upper = { url: 'https://bridge.example.org', node: 'attic', token: 't' };
  await bridge.call('POST', CHANNELS, { name: 'upper', type: 'nodebell', ...upper });
  const body = { routes: [{ channels: ['upper'] }, { channels: ['upper'], digest: 'hourly', persons: ['anna'] }] };
  expect(await setRoutes(bridge, body)).toMatchObject({
    status: 400,
    body: {
      errors: [
        { pointer: '/routes/1/persons', found: '"upper"' },
        {
          pointer: '/routes/1/digest',
          found: '"upper"',
          detail: 'The other bridge decides what waits: put upper into a route without "digest".',
        },
      ],
    },
  });
});

test('what is not read back is kept, removed with null, and needed again for another address', async () => {
  const ntfy = await closing(startNtfy());
  const other = await closing(startNtfy());
  const bridge = await bridgeWith();
  const base = { type: 'ntfy', url: ntfy.url };
  await bridge.call('POST', CHANNELS, { name: 'push', ...base, topic: 't', token: 'the-token' });
  await bridge.call('PUT', `${CHANNELS}/push`, { ...base, perMinute: 7 });
  expect((await listOf(bridge)).channels[0]).toMatchObject({ perMinute: 7, has: ['topic', 'token'] });
  const moved = await bridge.request('PUT', `${CHANNELS}/push`, { ...base, url: other.url });
  expect(moved).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/topic' }, { pointer: '/token' }] },
  });
  const tried = { name: 'push', ...base, url: other.url };
  expect((await bridge.request('POST', `${CHANNELS}/test`, tried)).status).toBe(400);
  expect(other.arrived).toEqual([]);
  await bridge.call('PUT', `${CHANNELS}/push`, { ...base, token: null });
  expect((await listOf(bridge)).channels[0]).toMatchObject({ has: ['topic'] });
  expect(await bridge.call('POST', `${CHANNELS}/push/test`)).toEqual({ delivered: true });
  expect(ntfy.accepted[0]!.headers).not.toHaveProperty('authorization');
});

test('invalid members are rejected where they are', async () => {
  const bridge = await bridgeWith();
  for (const [member, more] of [
    ['token', { type: 'telegram', chatId: 1 }],
    ['topic', { type: 'ntfy' }],
    ['topic', { type: 'ntfy', topic: 'a b' }],
    ['name', { type: 'ntfy', topic: 't', name: '-' }],
    ['url', { type: 'webhook', url: 'ftp://h' }],
    ['tokenFile', { type: 'ntfy', topic: 't', tokenFile: '/etc/passwd' }],
    ['token', { type: 'slack' }],
    ['channel', { type: 'slack', token: 't' }],
    ['channel', { type: 'slack', token: 't', appToken: 'a', channel: '#ops' }],
    ['channel', { type: 'mattermost', url: 'https://h', token: 't', channel: 'a b' }],
    ['userId', { type: 'rocketchat', url: 'https://h', token: 't', channel: '#c' }],
    ['url', { type: 'discord' }],
  ] as const) {
    for (const where of [CHANNELS, `${CHANNELS}/test`]) {
      const { body } = await bridge.request('POST', where, { name: 'x', ...more });
      expect(body).toMatchObject({ status: 400, errors: [{ pointer: `/${member}` }] });
    }
  }
});

test('a private address is refused with what to do, unless it is allowed', async () => {
  const hook = await closing(startHook());
  const bridge = await bridgeWith({});
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  const reason = expect.stringContaining('add the channel in a provisioning file') as string;
  expect(await bridge.call('POST', `${CHANNELS}/test`, body)).toEqual({ delivered: false, reason });
  await bridge.call('POST', CHANNELS, body);
  await setRoutes(bridge, routesTo('hook'));
  await send(bridge, 'T');
  await until(async () =>
    expect((await listOf(bridge)).channels[0]).toMatchObject({ state: 'failing', lastFailure: reason, waiting: 1 })
  );
  expect(hook.arrived).toEqual([]);
  const mail = { name: 'm', type: 'email', host: '127.0.0.1', from: 'a@b.c', to: ['a@b.c'], tls: 'none' };
  expect(await bridge.call('POST', `${CHANNELS}/test`, mail)).toEqual({ delivered: false, reason });
  const search = { token: '123456789:AAabcdefghijklmnopqrstuvwxyz0123456', url: hook.url };
  expect(await bridge.call('POST', `${CHANNELS}/chats`, search)).toEqual({ bot: null, chats: [], reason });
  expect(hook.arrived).toEqual([]);
});

test('names are taken once, and channels of files are changed there', async () => {
  const hook = await closing(startHook());
  const folder = await Folder.make({
    'c.yaml': `apiVersion: 1\nchannels: [{ name: hook, type: webhook, url: '${hook.url}' }]\nroutes: [{ channels: [hook], priority: critical }]`,
  });
  const { bridge } = await folder.start({}, LOCAL);
  const body = { type: 'webhook', url: hook.url };
  const statusOf = async (method: string, name: string, more: object | undefined) =>
    (await bridge.request(method, `${CHANNELS}${name}`, more)).status;
  expect(await statusOf('POST', '', { name: 'hook', ...body })).toBe(409);
  expect(await statusOf('PUT', '/hook', body)).toBe(409);
  expect(await statusOf('DELETE', '/hook', undefined)).toBe(409);
  expect(await statusOf('PUT', '/absent', body)).toBe(404);
  expect(await statusOf('DELETE', '/absent', undefined)).toBe(404);
  expect(await statusOf('POST', '', { name: 'undelivered', ...body })).toBe(409);
  expect(await statusOf('POST', '', { name: 'own', ...body })).toBe(204);
  expect(await statusOf('POST', '', { name: 'own', ...body })).toBe(409);
  await setRoutes(bridge, { routes: [{ channels: ['own', 'hook'] }] });
  expect((await listOf(bridge)).routes).toEqual([
    { channels: ['hook'], priority: 'critical', file: 'c.yaml', index: 0 },
    { channels: ['own', 'hook'], index: 0 },
  ]);
  await folder.write({
    'd.yaml': `apiVersion: 1\nchannels: [{ name: own, type: webhook, url: '${hook.url}' }]`,
  });
  await until(async () =>
    expect(JSON.stringify(await bridge.call('GET', '/api/v1/provisioning'))).toContain(
      'The channel own is provisioned by the page Channels'
    )
  );
});

test('routes are replaced as a whole, not over changes of somebody else', async () => {
  const bridge = await bridgeWith();
  await bridge.call('POST', CHANNELS, { name: 'push', type: 'ntfy', topic: 't' });
  const unknown = await setRoutes(bridge, routesTo('push', 'pusj'));
  expect(unknown.body.errors).toEqual([expect.objectContaining({ pointer: '/routes/0/channels/1' })]);
  const { revision } = await listOf(bridge);
  expect((await setRoutes(bridge, { ...routesTo('push'), revision })).status).toBe(204);
  expect((await setRoutes(bridge, { routes: [], revision })).status).toBe(409);
  expect((await listOf(bridge)).routes).toHaveLength(1);
});

test('a disabled channel keeps what waits; nothing new goes to it', async () => {
  const ntfy = await closing(startNtfy());
  ntfy.broken = { status: 500 };
  const bridge = await bridgeWith();
  const push = { type: 'ntfy', url: ntfy.url };
  await bridge.call('POST', CHANNELS, { name: 'push', ...push, topic: 't' });
  await setRoutes(bridge, routesTo('push'));
  await send(bridge, 'waits');
  await until(() => expect(ntfy.arrived.length).toBeGreaterThan(0));
  await bridge.call('PUT', `${CHANNELS}/push`, { ...push, disabled: true });
  await send(bridge, 'not sent');
  expect((await listOf(bridge)).channels).toMatchObject([{ disabled: true, waiting: 1 }]);
  expect((await bridge.request('POST', `${CHANNELS}/push/test`)).status).toBe(409);
  ntfy.broken = undefined;
  await bridge.call('PUT', `${CHANNELS}/push`, push);
  await until(() => expect(titles(ntfy)).toEqual(['waits']));
});

test('a removed channel takes its routes, what waits and what is undelivered with it', async () => {
  const ntfy = await closing(startNtfy());
  ntfy.reject({ status: 400 });
  const bridge = await bridgeWith();
  for (const name of ['push', 'other']) {
    await bridge.call('POST', CHANNELS, { name, type: 'ntfy', url: ntfy.url, topic: 't' });
  }
  await setRoutes(bridge, { routes: [{ channels: ['push'], priority: 'high' }, { channels: ['push', 'other'] }] });
  await send(bridge, 'refused', { priority: 'high' });
  const undelivered = async () => (await bridge.call<Undelivered>('GET', `${CHANNELS}/undelivered`)).undelivered;
  await until(async () => expect(await undelivered()).toHaveLength(1));
  const alarms = async () =>
    (await bridge.list('latest=true&dnpName=nodebell')).map(({ title, status }) => [title, status]);
  await until(async () => expect(await alarms()).toEqual([['The channel push does not deliver', 'triggered']]));
  ntfy.broken = { status: 500 };
  await send(bridge, 'waits', { priority: 'high' });
  expect((await bridge.request('DELETE', `${CHANNELS}/push`)).status).toBe(204);
  const list = await listOf(bridge);
  expect(list.channels.map(({ name }) => name)).toEqual(['other']);
  expect(list.routes).toEqual([{ channels: ['other'], index: 0 }]);
  expect(await undelivered()).toEqual([]);
  await until(async () => expect(await alarms()).toEqual([['The channel push was removed', 'resolved']]));
});

test('the alarm of a channel of another node is not that of a removed channel', async () => {
  const bridge = await bridgeWith();
  const alarm = { title: 'The channel phone does not deliver', body: 'B', dnpName: 'nodebell', node: 'attic' };
  await bridge.send({ ...alarm, correlationId: 'channel-phone', status: 'triggered' });
  // Whatever changes a channel looks for alarms of those that are gone.
  await bridge.call('POST', CHANNELS, { name: 'push', type: 'ntfy', url: 'https://ntfy.example', topic: 't' });
  expect(await bridge.list('dnpName=nodebell')).toMatchObject([{ title: alarm.title, node: 'attic' }]);
});

test('with another key, channels are reported and wait for their secrets', async () => {
  const ntfy = await closing(startNtfy());
  const bridge = await bridgeWith();
  const push = { type: 'ntfy', url: ntfy.url };
  await bridge.call('POST', CHANNELS, { name: 'push', ...push, topic: 't' });
  await setRoutes(bridge, routesTo('push'));
  await bridge.stop();
  await bridge.start({ secretKey: 'another-key-of-the-tests' });
  await send(bridge, 'waits');
  expect((await listOf(bridge)).channels).toMatchObject([
    { state: 'failing', lastFailure: expect.stringContaining('cannot be decrypted') as string, waiting: 1 },
  ]);
  expect((await bridge.request('POST', `${CHANNELS}/push/test`)).status).toBe(409);
  expect((await bridge.request('PUT', `${CHANNELS}/push`, push)).status).toBe(400);
  await bridge.call('PUT', `${CHANNELS}/push`, { ...push, topic: 't' });
  await until(() => expect(titles(ntfy)).toEqual(['waits']));
});
