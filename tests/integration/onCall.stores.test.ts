/** On call: schedules, people and escalations of a whole bridge, with receivers on this machine. */
import { expect, test } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { Schedules } from '../../backend-bridge/contract/onCall.ts';
import { startTelegram } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import {
  deliveriesOf,
  fileOf,
  FIRES,
  isOver,
  isTold,
  RESOLVES,
  sceneAt,
  send,
  STEPS,
  told,
  until,
} from './onCall.testing.ts';
import { eventually, Folder } from './provisioning.testing.ts';
import { DAY, HOUR, MINUTE, SECOND } from './support.ts';

test('a night on call: at once, then the second, who acknowledges; the resolve reaches both', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00');
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  expect(await deliveriesOf(scene, id)).toEqual(['person: bob held', 'everybody-hook held', 'ada-hook sent ada']);
  bridge.clock.advance(10 * MINUTE - SECOND);
  await isTold(scene, { ada: 'triggered' });
  bridge.clock.advance(SECOND);
  await isTold(scene, { ada: 'triggered', bob: 'triggered' });
  await bridge.request('POST', `/api/v1/notifications/${id}/acknowledge`, undefined, fromGrafana('bob'));
  bridge.clock.advance(HOUR);
  await isOver(scene, id);
  expect(told(scene)).toEqual({ ada: 'triggered', bob: 'triggered' });
  await send(scene, RESOLVES);
  await isTold(scene, { ada: 'triggered,resolved', bob: 'triggered,resolved' });
  expect(await deliveriesOf(scene, id)).toEqual(['ada-hook sent ada', 'bob-hook sent bob']);
  const detail = await bridge.call<NotificationDetail & { timeline: { kind: string; by?: { name: string } }[] }>(
    'GET',
    `/api/v1/notifications/${id}`
  );
  expect(detail.timeline.map(({ kind }) => kind)).toEqual(['acknowledged']);
});

test('a snooze for all stops it, one of a person does not; a resolve stops it', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00');
  const { bridge } = scene;
  const snooze = (id: number, whom: string) =>
    bridge.request(
      'PUT',
      `/api/v1/notifications/${id}/snooze`,
      { until: new Date(bridge.clock.now + DAY).toISOString(), for: whom },
      fromGrafana('ada')
    );
  const first = await send(scene, { ...FIRES, correlationId: 'own' });
  await isTold(scene, { ada: 'triggered' });
  expect((await snooze(first, 'me')).status).toBe(200);
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered', bob: 'triggered' });
  expect((await snooze(first, 'all')).status).toBe(200);
  const second = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered' });
  await send(scene, RESOLVES);
  bridge.clock.advance(HOUR);
  await isOver(scene, first);
  await isOver(scene, second);
  expect(told(scene)).toEqual({ ada: 'triggered,triggered,resolved', bob: 'triggered' });
});

test('a step reaches whoever is on call when it is due: a handover, and a change of the schedule', async () => {
  const route =
    '{ escalation: [{ after: 0m, onCall: database }, { after: 30m, onCall: database }, { after: 1h, onCall: database }] }';
  // Berlin changes to summer time in this night: the handover at 03:30 is at 01:30 UTC.
  const nightly = (more = '') =>
    `{ name: database, zone: Europe/Berlin, rotations: [{ people: [ada, bob], every: 1d, from: '2030-03-29T03:30' }]${more} }`;
  const scene = await sceneAt('2030-03-31T01:15:00Z', { route, schedule: nightly() });
  const { bridge, folder, hooks } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { bob: 'triggered' });
  bridge.clock.advance(30 * MINUTE);
  await isTold(scene, { ada: 'triggered', bob: 'triggered' });
  const override = ", overrides: [{ person: cleo, from: '2030-03-31T00:00', to: '2030-04-01T00:00' }]";
  await folder.write({ 'calls.yaml': fileOf(hooks, { route, schedule: nightly(override) }) });
  await eventually(async () => {
    const { schedules } = await bridge.call<Schedules>('GET', '/api/v1/schedules');
    expect(schedules[0]!.onCall).toEqual(['cleo']);
  });
  bridge.clock.advance(30 * MINUTE);
  await isTold(scene, { ada: 'triggered', bob: 'triggered', cleo: 'triggered' });
  await isOver(scene, id);
  await send(scene, RESOLVES);
  const both = 'triggered,resolved';
  await isTold(scene, { ada: both, bob: both, cleo: both });
});

test('restarts between steps lose and repeat none', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00');
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  await bridge.restart();
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered', bob: 'triggered' });
  await bridge.restart();
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered', bob: 'triggered', everybody: 'triggered' });
  await bridge.restart();
  bridge.clock.advance(DAY);
  await isOver(scene, id);
  expect(told(scene)).toEqual({ ada: 'triggered', bob: 'triggered', everybody: 'triggered' });
});

test('nobody on call: the next step is due at once, and the deliveries say so', async () => {
  const scene = await sceneAt('2030-01-06T03:00:00+01:00');
  const id = await send(scene, FIRES);
  await isTold(scene, { bob: 'triggered' });
  expect(await deliveriesOf(scene, id)).toEqual([
    'everybody-hook held',
    'on call: database skipped Nobody is on call in the schedule database.',
    'bob-hook sent bob',
  ]);
  scene.bridge.clock.advance(20 * MINUTE);
  await isTold(scene, { bob: 'triggered', everybody: 'triggered' });
});

test('steps begin again until somebody acknowledges, at most 20 times, as messages of their own', async () => {
  const telegram = await closing(startTelegram('123456789:AAabcdefghijklmnopqrstuvwxyz0123456'));
  const folder = await Folder.make({
    'calls.yaml': `apiVersion: 1\nchannels: [{ name: phone, type: telegram, url: '${telegram.url}', token: '123456789:AAabcdefghijklmnopqrstuvwxyz0123456', chatId: 1 }]\nroutes: [{ escalation: [{ after: 0m, channels: [phone] }], repeatEvery: 30m }]`,
  });
  const running = await folder.start();
  const { bridge } = running;
  const count = (wanted: number) =>
    until(async () => {
      await bridge.call('POST', '/api/v1/channels/undelivered/send');
      expect(telegram.texts.size).toBe(wanted);
    });
  const first = await send(running, FIRES);
  await count(1);
  // Arrivals of the same priority do not begin it again: they change the message.
  await send(running, { ...FIRES, title: 'Database still down' });
  await until(() => expect(telegram.texts.get(1)).toContain('still down'));
  for (let repeats = 1; repeats <= 20; repeats += 1) {
    bridge.clock.advance(30 * MINUTE);
    await count(repeats + 1);
  }
  bridge.clock.advance(HOUR);
  await until(async () => expect((await deliveriesOf(running, first)).join()).not.toMatch(/held|waiting/));
  expect(telegram.texts.size).toBe(21);
  // A higher priority begins it again.
  await send(running, { ...FIRES, priority: 'critical', title: 'All down' });
  await count(22);
  const id = await send(running, RESOLVES);
  await until(() => expect(telegram.texts.get(22)).toContain('Resolved'));
  bridge.clock.advance(HOUR);
  await until(async () => expect((await deliveriesOf(running, id)).join()).toBe('phone sent'));
  expect(telegram.texts.size).toBe(22);
});

test('a silence holds the steps; at its end they begin again', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00');
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  const [startsAt, endsAt] = [0, HOUR].map((ms) => new Date(bridge.clock.now + ms).toISOString());
  await bridge.call('POST', '/api/v1/maintenance', { name: 'Move', matchers: 'package="postgres"', startsAt, endsAt });
  await until(async () => expect(await deliveriesOf(scene, id)).toEqual(['ada-hook sent ada']));
  bridge.clock.advance(30 * MINUTE);
  await isTold(scene, { ada: 'triggered' });
  bridge.clock.advance(30 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered' });
});

test('each event without a status is escalated, as a message of its own; an update of an alert renews what later steps say', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00');
  const { bridge } = scene;
  const { status: _status, ...event } = FIRES;
  await send(scene, event);
  await isTold(scene, { ada: 'triggered' });
  await send(scene, event);
  await isTold(scene, { ada: 'triggered,triggered' });
  const keys = scene.hooks.ada!.accepted.map(({ json }) => json.thread);
  expect(new Set(keys).size).toBe(2);
  const alert = { ...FIRES, correlationId: 'disk' };
  await send(scene, { ...alert, title: 'Disk 90 %' });
  await isTold(scene, { ada: 'triggered,triggered,triggered' });
  await send(scene, { ...alert, title: 'Disk full' });
  await until(() => expect(scene.hooks.ada!.accepted.at(-1)!.json.title).toBe('Disk full'));
  bridge.clock.advance(10 * MINUTE);
  await until(async () => {
    await bridge.call('POST', '/api/v1/channels/undelivered/send');
    expect(scene.hooks.bob!.accepted.map(({ json }) => json.title).toSorted()).toEqual([
      'Database down',
      'Database down',
      'Disk full',
    ]);
  });
});

test('a higher priority after an acknowledgement begins the steps again, and ends those before', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00');
  const { bridge } = scene;
  const id = await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  await bridge.request('POST', `/api/v1/notifications/${id}/acknowledge`, undefined, fromGrafana('ada'));
  bridge.clock.advance(5 * MINUTE);
  const worse = await send(scene, { ...FIRES, priority: 'critical' });
  await isTold(scene, { ada: 'triggered,triggered' });
  bridge.clock.advance(10 * MINUTE - SECOND);
  await isTold(scene, { ada: 'triggered,triggered' });
  bridge.clock.advance(20 * MINUTE);
  await isOver(scene, worse);
  expect(told(scene)).toEqual({ ada: 'triggered,triggered', bob: 'triggered', everybody: 'triggered' });
});

test('a route that is edited during an incident takes over with the next repeat, and is not beside itself', async () => {
  const scene = await sceneAt('2030-01-09T03:00:00+01:00');
  const { bridge, folder, hooks } = scene;
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered' });
  await folder.write({
    'calls.yaml': fileOf(hooks, { route: `{ priority: high, onCall: database, escalation: ${STEPS} }` }),
  });
  const routes = async () =>
    JSON.stringify((await bridge.call<{ routes: object[] }>('GET', '/api/v1/channels')).routes);
  await until(async () => expect(await routes()).toContain('"priority":"high"'));
  await send(scene, FIRES);
  await isTold(scene, { ada: 'triggered,triggered' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered' });
  bridge.clock.advance(10 * MINUTE);
  await isTold(scene, { ada: 'triggered,triggered', bob: 'triggered', everybody: 'triggered' });
});
