/** On call: schedules, people and escalations of a whole bridge, with receivers on this machine. */
import { expect, test, vi } from 'vitest';
import type { ChannelList, RouteTestResult } from '../../backend-bridge/contract/channel.ts';
import type { Delivery } from '../../backend-bridge/contract/delivery.ts';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { Schedules } from '../../backend-bridge/contract/onCall.ts';
import {
  type Receiver,
  startHook,
  startTelegram,
} from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { eventually, Folder, type Provisioned } from './provisioning.testing.ts';
import { DAY, HOUR, MINUTE, SECOND } from './support.ts';

const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });
const ALERT = { correlationId: 'db', dnpName: 'postgres', title: 'Database down', priority: 'high' };
const FIRES = { ...ALERT, status: 'triggered' };
const RESOLVES = { ...ALERT, status: 'resolved' };

interface Scene extends Provisioned {
  folder: Folder;
  hooks: Record<string, Receiver>;
}

const NAMES = ['ada', 'bob', 'cleo', 'everybody'];
const WEEKLY =
  "{ name: database, zone: Europe/Berlin, rotations: [{ people: [ada, bob], every: 1w, from: '2030-01-07T09:00' }] }";
const STEPS = '[{ after: 10m, people: [bob] }, { after: 20m, channels: [everybody] }]';

const fileOf = (hooks: Scene['hooks'], { schedule = WEEKLY, route = `{ onCall: database, escalation: ${STEPS} }` }) =>
  [
    'apiVersion: 1',
    'channels:',
    ...NAMES.map((name) => `  - { name: ${name}-hook, type: webhook, url: '${hooks[name]!.url}' }`),
    'people:',
    ...['ada', 'bob', 'cleo'].map((name) => `  - { login: ${name}, channels: [${name}-hook] }`),
    `schedules: [${schedule}]`,
    `routes: [${route.replaceAll('everybody', 'everybody-hook')}]`,
  ].join('\n');

/** A bridge whose clock shows this time, with a hook for each person. */
async function sceneAt(iso: string, given: { schedule?: string; route?: string } = {}): Promise<Scene> {
  const started = await Promise.all(NAMES.map(async (name) => [name, await closing(startHook())] as const));
  const hooks = Object.fromEntries(started);
  const folder = await Folder.make({ 'calls.yaml': fileOf(hooks, given) });
  const running = await folder.start();
  expect(await running.mistakes('calls.yaml')).toEqual([]);
  running.bridge.clock.advance(Date.parse(iso) - running.bridge.clock.now);
  return Object.assign(running, { folder, hooks });
}

const send = async ({ bridge }: Provisioned, payload: object): Promise<number> => {
  const { body } = await bridge.post({ body: 'It does not respond.', ...payload });
  return (body as { id: number }).id;
};
const told = ({ hooks }: Scene): Record<string, string> =>
  Object.fromEntries(
    NAMES.map((name) => [name, hooks[name]!.accepted.map(({ json }) => String(json.status)).join()] as const).filter(
      ([, all]) => all !== ''
    )
  );
/** Wakes what follows the clock of the test, and waits for what was told. */
const isTold = (scene: Scene, wanted: Record<string, string>): Promise<unknown> =>
  until(async () => {
    await scene.bridge.call('POST', '/api/v1/channels/undelivered/send');
    expect(told(scene)).toEqual(wanted);
  });
const deliveriesOf = async ({ bridge }: Provisioned, id: number): Promise<string[]> =>
  ((await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`)).deliveries ?? []).map(
    ({ channel, state, person, reason }: Delivery) => [channel, state, person, reason].filter(Boolean).join(' ')
  );
/** No step is left. */
const isOver = (scene: Scene, id: number): Promise<unknown> =>
  until(async () => {
    await scene.bridge.call('POST', '/api/v1/channels/undelivered/send');
    expect((await deliveriesOf(scene, id)).join()).not.toMatch(/held|waiting/);
  });

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
  await send(running, FIRES);
  await count(1);
  // Arrivals of the same priority do not begin it again: they change the message.
  await send(running, { ...FIRES, title: 'Database still down' });
  await until(() => expect(telegram.texts.get(1)).toContain('still down'));
  for (let repeats = 1; repeats <= 20; repeats += 1) {
    bridge.clock.advance(30 * MINUTE);
    await count(repeats + 1);
  }
  bridge.clock.advance(HOUR);
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

test('GET /schedules: who is on call, until when, who is next, gaps; for me', async () => {
  const schedule =
    "{ name: database, rotations: [{ people: [ada, bob], every: 1d, from: '2030-01-07T09:00', to: '2030-01-09T12:00' }] }";
  const { bridge } = await sceneAt('2030-01-08T08:00:00Z', { schedule });
  const read = async (login: string) =>
    (await bridge.request('GET', '/api/v1/schedules', undefined, fromGrafana(login, { OrgRole: 'Viewer' })))
      .body as Schedules;
  const { schedules, people, mine } = await read('ada');
  expect(schedules).toMatchObject([
    {
      name: 'database',
      file: 'calls.yaml',
      onCall: ['ada'],
      until: '2030-01-08T09:00:00.000Z',
      next: ['bob'],
      gaps: [{ from: '2030-01-09T12:00:00.000Z', to: '2030-01-22T08:00:00.000Z' }],
    },
  ]);
  expect(people).toContainEqual({ login: 'bob', channels: ['bob-hook'], file: 'calls.yaml' });
  expect([mine, (await read('bob')).mine]).toEqual([['database'], []]);
});

test('the tester shows whom each step would reach', async () => {
  const { bridge } = await sceneAt('2030-01-09T03:00:00+01:00');
  const { channels, steps } = await bridge.call<RouteTestResult>('POST', '/api/v1/routes/test', {});
  expect(channels).toEqual(['ada-hook']);
  expect(steps).toEqual([
    { at: '2030-01-09T02:00:00.000Z', to: 'on call: database', people: ['ada'], channels: ['ada-hook'] },
    { at: '2030-01-09T02:10:00.000Z', to: 'person: bob', people: ['bob'], channels: ['bob-hook'] },
    { at: '2030-01-09T02:20:00.000Z', to: 'everybody-hook', people: [], channels: ['everybody-hook'] },
  ]);
  const { routes } = await bridge.call<ChannelList>('GET', '/api/v1/channels');
  expect(routes[0]).toMatchObject({
    channels: [],
    onCall: 'database',
    escalation: [{ after: '10m', people: ['bob'] }, {}],
  });
});

test('errors say what is allowed', async () => {
  const folder = await Folder.make({
    'calls.yaml': [
      'apiVersion: 1',
      "channels: [{ name: a, type: webhook, url: 'http://h/' }, { name: up, type: nodebell, url: 'http://h/', token: t, node: n }]",
      'people: [{ login: ada, channels: [b] }, { login: bob, channels: [up] }, { login: ada, channels: [a] }]',
      "schedules: [{ name: s, rotations: [{ people: [adda], every: 1w, from: '2030-01-07T09:00' }] }]",
      'routes:',
      '  - { onCall: t, escalation: [{ after: 5m, people: [bo], channels: [up] }] }',
    ].join('\n'),
  });
  const running = await folder.start();
  expect((await running.mistakes('calls.yaml')).map((text) => text.replace(/^\S+ /, ''))).toEqual([
    'There is no schedule "t" in this file. Did you mean "s"?',
    'There is no person "bo" in this file. Did you mean "bob"?',
    'The other bridge decides what waits: put up into a route without "escalation".',
    'There is no person "adda" in this file. Did you mean "ada"?',
    'The person ada is already in this file: keep one.',
    'There is no channel "b" in this file. Did you mean "a"?',
    'The channel up leads to another bridge: name a channel of another type.',
  ]);
  await folder.write({
    'calls.yaml': [
      'apiVersion: 1',
      'routes:',
      '  - { priority: high }',
      '  - { onCall: s, digest: hourly }',
      '  - { channels: [a], repeatEvery: 30m }',
      '  - { escalation: [{ after: 10, onCall: s }] }',
      '  - { escalation: [{ after: 10m }] }',
      '  - { escalation: [{ after: 20m, onCall: s }], repeatEvery: 20m }',
    ].join('\n'),
  });
  await eventually(async () =>
    expect((await running.mistakes('calls.yaml')).map((text) => text.replace(/^\S+ /, ''))).toEqual([
      'routes[0].channels is missing: it must be a list that is not empty.',
      expect.stringMatching(/^routes\[1\]\.digest must be absent beside "onCall"/),
      expect.stringMatching(/^routes\[2\]\.repeatEvery must be absent without "unacknowledged", "onCall" and/),
      expect.stringMatching(/^routes\[3\]\.escalation\[0\]\.after must be a duration such as 0m, 10m or 2h/),
      expect.stringMatching(/^routes\[4\]\.escalation\[0\] must be an object with onCall, people or channels/),
      expect.stringMatching(/^routes\[5\]\.repeatEvery must be a longer time than that of each step/),
    ])
  );
});
