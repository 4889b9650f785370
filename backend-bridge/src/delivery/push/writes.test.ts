/** Devices of web push, over a real store. */
import { expect, onTestFinished, test } from 'vitest';
import '../../arrivals.ts';
import { openWorld } from '../../inbox/retention/retention.testing.ts';
import { addDevice, keepPushKeys } from './writes.ts';

const KEYS = { public_key: 'public', private_key: 'private', created_ts: 1 };
const DEVICE = {
  ...{ person: 'org:1/user:1', name: 'Phone', endpoint: 'https://push.example.org/1', fingerprint: 'f' },
  ...{ p256dh: 'p', auth: 'a', created_ts: 1, visited_ts: 1 },
};

test('a device whose user is renamed is announced to the routes, one that is only seen again is not', async () => {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, events } = world;
  await writes.submit(keepPushKeys, KEYS);
  const visit = (login: string) =>
    writes.submit(addDevice, { device: { ...DEVICE, login }, key: KEYS.public_key, channels: [] });
  await visit('alice');
  events.length = 0;
  await visit('alice');
  expect(events).toEqual([]);
  await visit('alice.b');
  expect(events.map(({ type }) => type)).toEqual(['routes']);
  expect(await db.selectFrom('push_devices').select('login').execute()).toEqual([{ login: 'alice.b' }]);
});
