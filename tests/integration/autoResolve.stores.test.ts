/** Threads that resolve without news: `resolveAfter` of a notification, and NODEBELL_RESOLVE_AFTER. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Config } from '../../backend-bridge/src/config.ts';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { startHook } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { expectProblem, HOUR, MINUTE, NOTIFICATIONS, SECOND, TestBridge } from './support.ts';

const DISK = { title: 'Disk full', body: 'b', dnpName: 'nas', correlationId: 'disk', status: 'triggered' };
const PERIOD = { ...DISK, resolveAfter: '30m' };

async function start(config: Partial<Config> = {}): Promise<TestBridge> {
  const bridge = await TestBridge.start(config);
  onTestFinished(() => bridge.dispose());
  return bridge;
}
async function send(bridge: TestBridge, payload: Record<string, unknown>): Promise<number> {
  const { body, status } = await bridge.post(payload);
  expect(status).toBe(201);
  return (body as { id: number }).id;
}
const threadOf = async (bridge: TestBridge, id: number) =>
  (await bridge.call<NotificationDetail>('GET', `${NOTIFICATIONS}/${id}`)).thread;
const isResolved = (bridge: TestBridge, id: number): Promise<unknown> =>
  vi.waitFor(async () => expect((await threadOf(bridge, id)).state).toBe('resolved'), {
    timeout: 30_000,
    interval: 50,
  });
/** Resolves in the next check after everything that was due before it. */
async function checked(bridge: TestBridge): Promise<void> {
  const id = await send(bridge, { ...PERIOD, correlationId: `mark ${bridge.clock.now}`, resolveAfter: '1s' });
  bridge.clock.advance(2000);
  await isResolved(bridge, id);
}

test('an alert resolves when its time passes without news, with the reason; also after a restart', async () => {
  const bridge = await start();
  const id = await send(bridge, { ...PERIOD, labels: { instance: 'nas1' } });
  bridge.clock.advance(29 * MINUTE);
  await checked(bridge);
  expect((await threadOf(bridge, id)).state).toBe('open');
  await bridge.restart();
  bridge.clock.advance(MINUTE);
  await isResolved(bridge, id);
  const { id: last, thread } = (await bridge.list()).find(({ correlationId }) => correlationId === 'disk')!;
  expect([thread.count, thread.closedByHand]).toEqual([2, false]);
  expect(await bridge.call<NotificationDetail>('GET', `${NOTIFICATIONS}/${last}`)).toMatchObject({
    ...{ title: 'Disk full', body: 'Resolved automatically: no notification for 30m.', status: 'resolved' },
    ...{ source: 'bridge', labels: { instance: 'nas1' } },
  });
});

test.each([
  ['a repeat', { ...PERIOD }, 'open'],
  ['a repeat without a time', DISK, 'open'],
  ['a resolve', { ...DISK, status: 'resolved' }, 'resolved'],
])('%s sets the earlier time aside', async (_what, later, state) => {
  const bridge = await start();
  await send(bridge, PERIOD);
  bridge.clock.advance(20 * MINUTE);
  const id = await send(bridge, later);
  bridge.clock.advance(20 * MINUTE);
  await checked(bridge);
  const { state: found, count } = await threadOf(bridge, id);
  expect([found, count]).toEqual([state, 2]);
});

test('an alert whose newest notification was deleted resolves when its time passes', async () => {
  const bridge = await start();
  const id = await send(bridge, PERIOD);
  const deleted = await send(bridge, PERIOD);
  await bridge.call('POST', `${NOTIFICATIONS}/delete`, { ids: [deleted] });
  bridge.clock.advance(31 * MINUTE);
  await checked(bridge);
  expect((await threadOf(bridge, id)).state).toBe('resolved');
});

test('an alert whose time passes while it is deleted resolves once it is restored', async () => {
  const bridge = await start();
  const id = await send(bridge, PERIOD);
  bridge.clock.advance(29 * MINUTE + 50 * SECOND);
  const undo = await bridge.remove(id);
  await checked(bridge);
  bridge.clock.advance(10 * SECOND);
  await checked(bridge);
  expect((await bridge.restore(undo)).status).toBe(200);
  await isResolved(bridge, id);
});

test('channels that have announced it get the resolve', async () => {
  const hook = await closing(startHook());
  const channel = `channels: [{ name: hook, type: webhook, url: '${hook.url}/in' }]\nroutes: [{ channels: [hook] }]`;
  const { bridge } = await (await Folder.make({ 'reach.yaml': `apiVersion: 1\n${channel}` })).start();
  const statuses = () => hook.accepted.map(({ json }) => json.status);
  const sent = (...wanted: string[]) => vi.waitFor(() => expect(statuses()).toEqual(wanted), { timeout: 30_000 });
  await send(bridge, PERIOD);
  await sent('triggered');
  bridge.clock.advance(31 * MINUTE);
  await sent('triggered', 'resolved');
});

test('a wrong time is left out and listed, and an error with strict=true', async () => {
  const bridge = await start();
  const { body } = await bridge.post({ ...DISK, resolveAfter: 'soon' });
  expect(body).toMatchObject({
    ignored: [
      {
        pointer: '/resolveAfter',
        reason: 'Must be a duration such as 30m or 2d. The thread does not resolve without news.',
      },
    ],
  });
  const strict = await bridge.request('POST', `${NOTIFICATIONS}?strict=true`, { ...DISK, resolveAfter: '367d' });
  expect(expectProblem(strict, 400).errors).toMatchObject([
    { pointer: '/resolveAfter', allowed: 'a duration of at most 366d' },
  ]);
});

test('NODEBELL_RESOLVE_AFTER is the time of alerts of senders without their own', async () => {
  const bridge = await start({ resolveAfter: '1h' });
  const own = await send(bridge, { ...DISK, correlationId: 'own', resolveAfter: '2h' });
  const silent = await send(bridge, DISK);
  const event = await send(bridge, { title: 'Event', body: '' });
  const alert = { status: 'firing', labels: { alertname: 'Load' }, fingerprint: 'f', startsAt: '2026-11-21T10:00:00Z' };
  await bridge.request('POST', '/api/v1/webhooks/alertmanager', { version: '4', status: 'firing', alerts: [alert] });
  bridge.clock.advance(HOUR + MINUTE);
  await isResolved(bridge, silent);
  await checked(bridge);
  const states = Object.fromEntries((await bridge.list()).map(({ title, thread }) => [title, thread.state]));
  expect([states['Event'], states['Load']]).toEqual(['event', 'open']);
  expect([(await threadOf(bridge, own)).state, (await threadOf(bridge, event)).count]).toEqual(['open', 1]);
});
