/** Alertmanager's API at two bridges on one database: an alert is known at both, whichever receives it. */
import { expect, test } from 'vitest';
import type { AmAlert } from '../../backend-bridge/contract/alertmanager.ts';
import { eventually, replicasOfTest } from './replicas.testing.ts';
import { MINUTE, type TestBridge } from './support.ts';

const API = '/alertmanager/api/v2';
const iso = (ms: number): string => new Date(ms).toISOString();

const send = (on: TestBridge, alertname: string, endsInMinutes: number) =>
  on.call('POST', `${API}/alerts`, [
    {
      labels: { alertname },
      annotations: { summary: alertname },
      startsAt: iso(on.clock.now - MINUTE),
      endsAt: iso(on.clock.now + endsInMinutes * MINUTE),
    },
  ]);
const states = async (on: TestBridge, alertname: string): Promise<string[]> =>
  (await on.list('limit=1000'))
    .filter(({ title }) => title === alertname)
    .map(({ status }) => status)
    .reverse();

test('an alert sent to both is stored once, and its resolve at one is known at the other', async () => {
  const { leader, follower } = await replicasOfTest();
  await Promise.all([send(leader, 'Both', 4), send(follower, 'Both', 4), send(leader, 'Both', 4)]);
  expect(await states(leader, 'Both')).toEqual(['triggered']);
  await send(follower, 'Both', -0.5);
  expect(await states(leader, 'Both')).toEqual(['triggered', 'resolved']);
  for (const bridge of [leader, follower]) {
    expect(await bridge.call<AmAlert[]>('GET', `${API}/alerts`)).toEqual([]);
  }
  leader.clock.advance(MINUTE);
  follower.clock.advance(MINUTE);
  await send(leader, 'Both', 4);
  expect(await states(follower, 'Both')).toEqual(['triggered', 'resolved', 'triggered']);
});

test('of two senders at two replicas, the last one resolves an alert, and one that fires meanwhile keeps it open', async () => {
  const { leader, follower } = await replicasOfTest();
  const tokenOf = async (name: string) =>
    (await leader.call<{ token: string }>('POST', '/api/v1/tokens', { name })).token;
  const [a, b] = [await tokenOf('a'), await tokenOf('b')];
  const post = async (on: TestBridge, token: string, names: string[], ends: number) => {
    const headers = { Authorization: `Bearer ${token}` };
    const { now } = on.clock;
    const times = { startsAt: iso(now - MINUTE), endsAt: iso(now + ends * MINUTE) };
    const alerts = names.map((alertname) => ({ labels: { alertname }, annotations: { summary: alertname }, ...times }));
    await eventually(async () => expect((await on.request('POST', `${API}/alerts`, alerts, headers)).status).toBe(200));
  };
  for (let round = 0; round < 10; round += 1) {
    const [ends, stays] = [`Ends ${round}`, `Stays ${round}`];
    await post(leader, a, [ends, stays], 4);
    await post(follower, b, [ends], 4);
    await Promise.all([post(leader, a, [ends, stays], -0.5), post(follower, b, [ends], -0.5)]);
    await Promise.all([post(leader, a, [stays], -0.5), post(follower, b, [stays], 4)]);
    await post(leader, a, [stays], 4);
    await Promise.all([post(leader, a, [stays], -0.5), post(follower, b, [stays], 4)]);
    const last = async (name: string) => (await states(leader, name)).at(-1);
    expect([await last(ends), await last(stays)]).toEqual(['resolved', 'triggered']);
  }
  expect(await follower.call<AmAlert[]>('GET', `${API}/alerts`)).toHaveLength(10);
});

test('news at one replica keeps an alert open at the one that leads; without news it times out there', async () => {
  const { leader, follower } = await replicasOfTest();
  const advance = (minutes: number) => [leader, follower].forEach(({ clock }) => clock.advance(minutes * MINUTE));
  await send(follower, 'Kept', 4);
  for (let minute = 0; minute < 8; minute += 1) {
    advance(1);
    await send(follower, 'Kept', 4);
    // The leader has seen it: it checks ends each second.
    const [shown] = await leader.call<AmAlert[]>('GET', `${API}/alerts`);
    expect(shown?.labels).toEqual({ alertname: 'Kept' });
  }
  expect(await states(leader, 'Kept')).toEqual(['triggered']);
  advance(5);
  await eventually(async () => expect(await states(follower, 'Kept')).toEqual(['triggered', 'resolved']));
});

test('a silence made at one covers alerts that the other receives', async () => {
  const { leader, follower } = await replicasOfTest();
  await follower.call('POST', `${API}/silences`, {
    matchers: [{ name: 'alertname', value: 'Quiet', isRegex: false, isEqual: true }],
    startsAt: iso(leader.clock.now),
    endsAt: iso(leader.clock.now + 60 * MINUTE),
    createdBy: 'anna',
    comment: '',
  });
  await send(leader, 'Quiet', 4);
  const [shown] = await leader.call<AmAlert[]>('GET', `${API}/alerts`);
  expect(shown?.status.state).toBe('suppressed');
});
