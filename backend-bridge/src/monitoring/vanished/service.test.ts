/** Alerts that their Alertmanager no longer reports, over a real store; the Alertmanager is held to recorded responses. */
import { expect, test } from 'vitest';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { FakeAlertmanager } from '../silences/fakeAlertmanager.testing.ts';
import { Silencing } from '../silences/service.ts';
import { alertmanagerState } from './service.ts';
import { openVanished } from './world.testing.ts';

async function open() {
  const { writes, clock, when, start, pass, threads } = await openVanished();
  const grafana = new FakeAlertmanager(() => clock.wall);
  const client = {
    request: (method: string, path: string) => {
      const [status, body] = grafana.request(method, path);
      return Promise.resolve({ status, body });
    },
  };
  const silencing = new Silencing({
    ...{ grafana: undefined, writes, client, now: () => clock.wall },
    own: () => Promise.reject(new Error('not asked')),
    exists: () => Promise.resolve(true),
    silenced: () => Promise.resolve(new Map()),
    record: () => Promise.resolve(),
  });
  const make = () => start(alertmanagerState(() => silencing.firing()));
  let vanished = make();
  return {
    grafana,
    arrives: async (correlationId: string, source: 'grafana' | 'alertmanager' | 'api' = 'grafana') => {
      const payload = { title: correlationId, body: '', status: 'triggered' as const, correlationId };
      await writes.submit(receive, { incoming: [{ payload, source }], ...when() });
    },
    /** Checks each minute. */
    pass: (minutes: number) => pass(vanished, minutes),
    restart: () => {
      vanished = make();
    },
    states: async () => (await threads()).map(({ title, body, state }) => [title, state, body].join(' ').trim()),
  };
}

test('an alert that was found and is missing for ten minutes resolves, with the reason', async () => {
  const { grafana, arrives, pass, states } = await open();
  grafana.alerts['grafana']!.set('a', { alertname: 'A' });
  grafana.alerts['am1']!.set('b', { alertname: 'B', correlationId: 'shared' });
  await arrives('a');
  await arrives('shared', 'alertmanager');
  await pass(30);
  expect(await states()).toEqual(['a open', 'shared open']);
  grafana.alerts['grafana']!.clear();
  await pass(10);
  expect(await states()).toEqual(['a open', 'shared open']);
  await pass(1);
  expect(await states()).toEqual([
    'a resolved Resolved automatically: Grafana no longer reports this alert.',
    'shared open',
  ]);
  grafana.alerts['am1']!.clear();
  await pass(11);
  expect((await states())[1]).toBe(
    'shared resolved Resolved automatically: Alertmanager no longer reports this alert.'
  );
});

test('also after a restart of the bridge', async () => {
  const { grafana, arrives, pass, states, restart } = await open();
  grafana.alerts['grafana']!.set('a', {});
  await arrives('a');
  await pass(1);
  grafana.alerts['grafana']!.clear();
  restart();
  await pass(11);
  expect(await states()).toEqual([expect.stringMatching(/^a resolved/)]);
});

test('an alert that was never found there, or of a sender, stays open; so does one that comes back', async () => {
  const { grafana, arrives, pass, states } = await open();
  grafana.alerts['grafana']!.set('back', {});
  await arrives('back');
  await arrives('elsewhere');
  await arrives('sender', 'api');
  await pass(1);
  grafana.alerts['grafana']!.clear();
  await pass(9);
  grafana.alerts['grafana']!.set('back', {});
  await pass(1);
  grafana.alerts['grafana']!.clear();
  await pass(9);
  expect(await states()).toEqual(['back open', 'elsewhere open', 'sender open']);
});

test('an alert that another Alertmanager reports when it has been missing for ten minutes stays open', async () => {
  const { grafana, arrives, pass, states } = await open();
  grafana.alerts['am1']!.set('a', { correlationId: 'a' });
  await arrives('a', 'alertmanager');
  await pass(1);
  grafana.alerts['am1']!.clear();
  await pass(10);
  grafana.silences['am2'] = new Map();
  grafana.alerts['am2'] = new Map([['a', { correlationId: 'a' }]]);
  await pass(30);
  expect(await states()).toEqual(['a open']);
});

test('nothing resolves while Grafana does not respond', async () => {
  const { grafana, arrives, pass, states } = await open();
  grafana.alerts['grafana']!.set('a', {});
  await arrives('a');
  await pass(1);
  grafana.status = 503;
  await pass(30);
  expect(await states()).toEqual(['a open']);
});

test('an alert that fires again must be found again', async () => {
  const { grafana, arrives, pass, states } = await open();
  grafana.alerts['grafana']!.set('a', {});
  await arrives('a');
  await pass(1);
  grafana.alerts['grafana']!.clear();
  await pass(12);
  await arrives('a');
  await pass(30);
  expect(await states()).toEqual(['a open']);
});
