/** Schedules, people and steps: what the API shows of them, and their errors. */
import { expect, test } from 'vitest';
import type { ChannelList } from '../../backend-bridge/contract/channel.ts';
import type { Schedules } from '../../backend-bridge/contract/onCall.ts';
import type { RouteTestResult } from '../../backend-bridge/contract/routeTest.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { sceneAt } from './onCall.testing.ts';
import { eventually, Folder } from './provisioning.testing.ts';
import { DAY, SECOND } from './support.ts';

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
  expect(people).toContainEqual({ login: 'bob', channels: ['bob-hook'], file: 'calls.yaml', reachable: true });
  expect([mine, (await read('bob')).mine]).toEqual([[{ schedule: 'database', until: '2030-01-08T09:00:00.000Z' }], []]);
});

test('a handover is in the response from its first second on', async () => {
  const schedule = "{ name: database, rotations: [{ people: [ada, bob], every: 1d, from: '2030-01-07T09:00' }] }";
  const { bridge } = await sceneAt('2030-01-08T08:59:45Z', { schedule });
  const read = async () => {
    const { schedules } = await bridge.call<Schedules>('GET', '/api/v1/schedules?days=14');
    const { onCall, until, shifts } = schedules[0]!;
    return [onCall.join(), until, shifts[0]?.from];
  };
  expect(await read()).toEqual(['ada', '2030-01-08T09:00:00.000Z', '2030-01-08T08:59:45.000Z']);
  bridge.clock.advance(15 * SECOND);
  expect(await read()).toEqual(['bob', '2030-01-09T09:00:00.000Z', '2030-01-08T09:00:00.000Z']);
  bridge.clock.advance(DAY);
  expect(await read()).toEqual(['ada', '2030-01-10T09:00:00.000Z', '2030-01-09T09:00:00.000Z']);
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
