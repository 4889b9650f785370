/** Web push of a whole bridge: persons with devices, at a push service that decrypts what it gets. */
import { expect, test } from 'vitest';
import type { ChannelList } from '../../backend-bridge/contract/channel.ts';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { Device, PushKey } from '../../backend-bridge/contract/push.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { CHANNEL, until, World } from './push.testing.ts';
import { SECOND } from './support.ts';

test('what is important goes to each device of each person, until a route says otherwise', async () => {
  const world = await World.start();
  await world.device('anna', 'phone');
  await world.device('anna', 'laptop');
  await world.device('bert', 'tablet');
  await world.send({ title: 'low', priority: 'low' });
  const id = await world.send({ title: 'hot', priority: 'high' });
  for (const token of ['phone', 'laptop', 'tablet']) {
    await until(() => expect(world.shown(token)).toEqual(['Important: hot']));
  }
  const { bridge } = world.running;
  await until(async () => {
    const { channels } = await bridge.call<ChannelList>('GET', '/api/v1/channels');
    expect(channels).toMatchObject([
      { name: 'browsers', type: 'webpush', target: 'mailto:admin@example.org', state: 'ok', waiting: 0 },
    ]);
    expect(channels[0]!.routes).toMatchObject([{ priority: 'high', index: -1 }]);
  });
  const detail = await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
  expect(detail.deliveries).toMatchObject([{ channel: 'browsers', state: 'sent' }]);
  const metrics = String((await bridge.request('GET', '/metrics')).body);
  expect(metrics).toContain('nodebell_channel_sent_total{channel="browsers"} 3');

  const routed = await World.start(`${CHANNEL}\nroutes: [{ channels: [browsers], categories: [hardware] }]`);
  await routed.device('anna', 'phone');
  await routed.send({ title: 'hot', priority: 'critical' });
  await routed.send({ title: 'disk', category: 'hardware' });
  await until(() => expect(routed.shown('phone')).toEqual(['Informational: disk']));
});

test('devices are their owner’s, and no response contains an endpoint', async () => {
  const world = await World.start();
  const phone = await world.device('anna', 'phone');
  await world.device('bert', 'tablet');
  expect((await world.devices('anna')).map(({ name }) => name)).toEqual(['phone of anna']);
  for (const [method, path, body] of [
    ['PUT', `/push/devices/${phone.id}`, { name: 'mine' }],
    ['POST', `/push/devices/${phone.id}/test`, undefined],
  ] as const) {
    expect((await world.request('bert', method, path, body)).status, method).toBe(404);
  }
  await world.call('bert', 'DELETE', `/push/devices/${phone.id}`);
  await world.call('anna', 'PUT', `/push/devices/${phone.id}`, { name: ' Pixel ' });
  const devices = await world.devices('anna');
  expect(devices).toMatchObject([{ id: phone.id, name: 'Pixel', service: new URL(world.service.url).host }]);
  expect(JSON.stringify(devices)).not.toContain('/push/phone');
  expect(await world.call('anna', 'POST', `/push/devices/${phone.id}/test`)).toEqual({ delivered: true });
  expect(world.shown('phone')).toEqual(['Test']);
  await world.call('anna', 'DELETE', `/push/devices/${phone.id}`);
  expect(await world.devices('anna')).toEqual([]);
  // Without a person, and for who has not signed in.
  const { bridge } = world.running;
  expect((await bridge.request('GET', '/api/v1/push/devices')).status).toBe(409);
  const nobody = fromGrafana('', { IsAnonymous: true, Login: '', UserID: 0, UserUID: '' });
  expect((await bridge.request('GET', '/api/v1/push/devices', undefined, nobody)).status).toBe(403);
});

test('a browser that another person uses is theirs from then on', async () => {
  const world = await World.start();
  const subscription = await world.subscription('shared');
  const first = await world.call<Device>('anna', 'POST', '/push/devices', { ...subscription, name: 'Kiosk' });
  // A person who subscribes again gets the same device, with its name.
  await world.call('anna', 'PUT', `/push/devices/${first.id}`, { name: 'Hall' });
  expect(await world.call('anna', 'POST', '/push/devices', { ...subscription, name: 'Kiosk' })).toMatchObject({
    id: first.id,
    name: 'Hall',
  });
  await world.call('bert', 'POST', '/push/devices', { ...subscription, name: 'Kiosk' });
  expect([await world.devices('anna'), (await world.devices('bert')).length]).toEqual([[], 1]);
});

test('a device that fails holds up no other; one whose subscription has expired removes itself', async () => {
  const world = await World.start();
  await world.device('anna', 'good');
  await world.device('anna', 'slow');
  await world.device('bert', 'gone');
  world.service.reject('slow', { status: 429, headers: { 'retry-after': '1' } });
  world.service.reject('gone', { status: 410 });
  await world.send({ title: 'one', priority: 'critical' });
  await world.send({ title: 'two', priority: 'critical' });
  await until(() => expect(world.shown('good')).toEqual(['Critical: one', 'Critical: two']));
  await until(async () => expect(await world.devices('bert')).toEqual([]));
  await until(async () => {
    const [, slow] = await world.devices('anna');
    expect(slow).toMatchObject({ lastDeliveredAt: null, lastFailure: 'The server responds with 429.' });
  });
  expect(world.shown('slow')).toEqual([]);
  world.service.reject('slow', undefined);
  await until(() => {
    world.running.bridge.clock.advance(SECOND);
    expect(world.shown('slow')).toEqual(['Critical: one', 'Critical: two']);
  });
});

test('what a person has read is closed on all devices of that person only', async () => {
  const world = await World.start();
  await world.device('anna', 'phone');
  await world.device('anna', 'laptop');
  await world.device('bert', 'tablet');
  const id = await world.send({ title: 'hot', priority: 'high', status: 'triggered', correlationId: 'x' });
  const quiet = await world.send({ title: 'quiet' });
  for (const token of ['phone', 'laptop', 'tablet']) {
    await until(() => expect(world.shown(token)).toHaveLength(1));
  }
  // Once the deliveries are noted.
  await until(async () =>
    expect(await world.running.bridge.call<ChannelList>('GET', '/api/v1/channels')).toMatchObject({
      channels: [{ waiting: 0 }],
    })
  );
  await world.call('anna', 'PUT', '/notifications/seen', { ids: [id, quiet] });
  for (const token of ['phone', 'laptop']) {
    await until(() => expect(world.shown(token)).toEqual(['Important: hot', 'close t1']));
  }
  expect(world.shown('tablet')).toEqual(['Important: hot']);
  expect(world.service.accepted.at(-1)?.headers).toMatchObject({ urgency: 'low', topic: 't1' });
});

test('what has arrived in a thread since stays on the devices', async () => {
  const world = await World.start();
  await world.device('anna', 'phone');
  const thread = { status: 'triggered', correlationId: 'x' };
  const first = await world.send({ ...thread, title: 'hot', priority: 'high' });
  await until(() => expect(world.shown('phone')).toEqual(['Important: hot']));
  await world.send({ ...thread, title: 'on fire', priority: 'critical' });
  const other = await world.send({ title: 'other', priority: 'high' });
  await until(() => expect(world.shown('phone')).toHaveLength(3));
  // Once the deliveries are noted.
  await until(async () =>
    expect(await world.running.bridge.call<ChannelList>('GET', '/api/v1/channels')).toMatchObject({
      channels: [{ waiting: 0 }],
    })
  );
  await world.call('anna', 'PUT', '/notifications/seen', { ids: [first, other] });
  await until(() => expect(world.shown('phone')).toHaveLength(4));
  expect(world.shown('phone').at(-1)).toBe('close t2');
});

test('a thread is one notification: the resolve replaces it', async () => {
  const world = await World.start();
  await world.device('anna', 'phone');
  const thread = { correlationId: 'disk', title: 'Disk' };
  await world.send({ ...thread, status: 'triggered', priority: 'critical' });
  await until(() => expect(world.shown('phone')).toEqual(['Critical: Disk']));
  await world.send({ ...thread, status: 'resolved' });
  await until(() => expect(world.shown('phone')).toEqual(['Critical: Disk', 'Resolved: Disk']));
  const [first, second] = world.service.accepted.map(({ payload }) => payload as { tag: string; renotify: boolean });
  expect([second?.tag, first?.renotify, second?.renotify]).toEqual([first?.tag, true, false]);
});

test('replaced keys end all subscriptions; a browser with the old key must subscribe again', async () => {
  const world = await World.start();
  await world.device('anna', 'phone');
  const old = await world.subscription('old');
  const replaced = await world.running.bridge.call<PushKey>('POST', '/api/v1/push/key');
  expect(await world.devices('anna')).toEqual([]);
  expect(replaced.publicKey).not.toBe(old.key);
  expect(await world.call('anna', 'GET', '/push/key')).toEqual(replaced);
  const refused = await world.request('anna', 'POST', '/push/devices', { ...old, name: 'Old' });
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('subscribe again') as string },
  });
  await world.device('anna', 'new');
});

test('without a channel there is no key; a subscription that cannot be one gets 400', async () => {
  const without = await World.start('categories: {}');
  expect(await without.call('anna', 'GET', '/push/key')).toEqual({ publicKey: null });

  const world = await World.start();
  const good = { ...(await world.subscription('a')), name: 'A' };
  for (const bad of [
    { endpoint: 'http://push.example.org/x' },
    { endpoint: 'https://anna:secret@push.example.org/x' },
    { endpoint: 'not an address' },
    { keys: { ...good.keys, p256dh: 'B'.repeat(87) } },
    { keys: { ...good.keys, auth: 'short' } },
    { name: 'two\nlines' },
    { name: ' ' },
  ]) {
    const { status } = await world.request('anna', 'POST', '/push/devices', { ...good, ...bad });
    expect(status, JSON.stringify(bad)).toBe(400);
  }
});

test('a person has at most 20 devices', async () => {
  const world = await World.start();
  const subscription = await world.subscription('a');
  for (let count = 0; count < 20; count += 1) {
    const endpoint = `${subscription.endpoint}${count}`;
    await world.call('anna', 'POST', '/push/devices', { ...subscription, endpoint, name: 'A' });
  }
  expect((await world.request('anna', 'POST', '/push/devices', { ...subscription, name: 'A' })).status).toBe(409);
});

test('a route for persons leads to their devices only; in their own quiet hours only what passes', async () => {
  const world = await World.start(
    `${CHANNEL}\nroutes:\n  - { channels: [browsers], categories: [hardware], persons: [bert] }\n  - { channels: [browsers] }`
  );
  await world.device('anna', 'phone');
  await world.device('bert', 'tablet');
  const { bridge } = world.running;
  await world.call('bert', 'PUT', '/push/quiet-hours', { quietHours: [] });
  // It is 10:00 in London.
  const hours = { quietHours: [{ from: '09:00', to: '12:00', zone: 'Europe/London' }], passing: 'high' };
  await world.call('anna', 'PUT', '/push/quiet-hours', hours);
  expect(await world.call('anna', 'GET', '/push/quiet-hours')).toEqual(hours);
  expect(await world.call('bert', 'GET', '/push/quiet-hours')).toEqual({ quietHours: [], passing: 'critical' });
  expect((await world.request('anna', 'PUT', '/push/quiet-hours', { quietHours: [{ from: '9' }] })).status).toBe(400);
  await world.send({ title: 'disk', category: 'hardware', priority: 'critical' });
  await world.send({ title: 'calm' });
  await world.send({ title: 'hot', priority: 'high' });
  await until(() => expect(world.shown('tablet')).toEqual(['Critical: disk', 'Informational: calm', 'Important: hot']));
  await until(() => expect(world.shown('phone')).toEqual(['Important: hot']));
  bridge.clock.advance(2 * 3600 * SECOND);
  await world.send({ title: 'later' });
  const all = ['Important: hot', 'Informational: calm', 'Informational: later'];
  await until(() => expect(world.shown('phone').toSorted()).toEqual(all));
});
