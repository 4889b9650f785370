/** Heartbeats: senders that are silent are reported. */
import { expect, test, vi } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { CreatedToken } from '../../backend-bridge/contract/token.ts';
import { Folder } from './provisioning.testing.ts';
import { DAY, HOUR, MINUTE, NOTIFICATIONS, type TestBridge } from './support.ts';

const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 50 });

async function start(file: string): Promise<TestBridge> {
  return (await (await Folder.make({ 'nodes.yaml': `apiVersion: 1\n${file}` })).start({})).bridge;
}
const of = (bridge: TestBridge, query = ''): Promise<Notification[]> => bridge.list(`limit=1000&${query}`);

test('only its use is a sign of life: a token that is made, replaced or revoked is not', async () => {
  const bridge = await start(
    'heartbeats:\n  - { name: cellar, interval: 5m }\n  - { name: later, sender: nobody, interval: 2d }'
  );
  const alarms = async () =>
    (await of(bridge, 'dnpName=nodebell&latest=true')).map(({ title, thread }) => `${title}, ${thread.count}`).sort();
  const make = () => bridge.call<CreatedToken>('POST', '/api/v1/tokens', { name: 'cellar' });
  const beat = ({ token }: CreatedToken) =>
    bridge.request('POST', '/api/v1/heartbeat', undefined, { Authorization: `Bearer ${token}` });
  const [first, second] = [await make(), await make()];
  expect((await beat(first)).status).toBe(204);
  await until(async () => {
    bridge.clock.advance(6 * MINUTE);
    expect(await alarms()).toEqual(['cellar has been silent for 5 min, 1']);
  });
  await make();
  const replaced = await bridge.call<CreatedToken>('POST', `/api/v1/tokens/${second.id}/rotate`);
  await bridge.call('DELETE', `/api/v1/tokens/${first.id}`);
  // Both are looked at together, in this order.
  bridge.clock.advance(2 * DAY);
  const silent = 'later has been silent for 2 d, 1';
  await until(async () => expect(await alarms()).toContain(silent));
  expect(await alarms()).toEqual(['cellar has been silent for 5 min, 1', silent]);
  expect((await beat(replaced)).status).toBe(204);
  await until(async () => expect(await alarms()).toEqual(['cellar is back, 2', silent]));
});

test('a sender that is still silent is reported again, an interval after its thread was closed or deleted', async () => {
  const bridge = await start(
    'heartbeats:\n  - { name: cellar, sender: nobody, interval: 5h }\n  - { name: later, sender: nobody, interval: 8h }'
  );
  const alarms = async () =>
    (await of(bridge, 'dnpName=nodebell&latest=true'))
      .map(({ correlationId, thread }) => `${correlationId} ${thread.state} ${thread.count}`)
      .sort();
  // By hours: with replicas, silence is reported two minutes later, and real time may move the clock ahead by a minute.
  bridge.clock.advance(6 * HOUR);
  await until(async () => expect(await alarms()).toEqual(['heartbeat-cellar open 1']));
  const [alarm] = await of(bridge, 'dnpName=nodebell');
  await bridge.call('POST', `${NOTIFICATIONS}/${alarm!.id}/resolve`);
  // They are checked together.
  bridge.clock.advance(3 * HOUR);
  await until(async () => expect(await alarms()).toContain('heartbeat-later open 1'));
  expect(await alarms()).toContain('heartbeat-cellar resolved 2');
  bridge.clock.advance(6 * HOUR);
  await until(async () => expect(await alarms()).toEqual(['heartbeat-cellar open 3', 'heartbeat-later open 1']));
  await bridge.clear();
  await until(async () => {
    bridge.clock.advance(6 * HOUR);
    expect(await alarms()).toContain('heartbeat-cellar open 1');
  });
});

test('a heartbeat is checked after a restart at which its file has an error', async () => {
  const file = 'apiVersion: 1\nheartbeats: [{ name: cellar, sender: nobody, interval: 5m }]\n';
  const folder = await Folder.make({ 'nodes.yaml': file });
  const running = await folder.start();
  const { bridge } = running;
  await folder.write({ 'nodes.yaml': `${file}unknown: 1\n` });
  await until(async () => expect((await running.file('nodes.yaml'))?.state).toBe('failed'));
  await bridge.restart();
  expect((await running.file('nodes.yaml'))?.heartbeats).toMatchObject([{ name: 'cellar' }]);
  // With replicas, silence is reported two minutes later.
  bridge.clock.advance(9 * MINUTE);
  await until(async () => expect(await bridge.titles()).toEqual(['cellar has been silent for 5 min']));
  await folder.remove('nodes.yaml');
  const over = ['cellar is no longer monitored', 'cellar has been silent for 5 min'];
  await until(async () => expect(await bridge.titles()).toEqual(over));
  await bridge.restart();
  expect((await running.status()).files).toEqual([]);
});
