/** Silences of Alertmanager's API on a bridge with a channel: when they begin and end, and what is sent then. */
import { describe, expect, test } from 'vitest';
import type { AmAlert, AmSilence } from '../../backend-bridge/contract/alertmanager.ts';
import { detailOf, iso, type Running, sent, sentSoFar, start, until } from './suppression.testing.ts';
import { HOUR, MINUTE } from './support.ts';

const API = '/alertmanager/api/v2';

/** From, until: milliseconds from now. */
const body = ({ bridge }: Running, from: number, to: number, id?: string, matcher: object = {}) => ({
  matchers: [{ name: 'alertname', value: 'Disk.*', isRegex: true, isEqual: true, ...matcher }],
  ...{ startsAt: iso(bridge.clock.now + from), endsAt: iso(bridge.clock.now + to) },
  ...{ createdBy: 'anna', comment: 'New disk', ...(id && { id }) },
});
const silence = async (running: Running, ...args: [number, number, string?, object?]): Promise<string> =>
  (await running.bridge.call<{ silenceID: string }>('POST', `${API}/silences`, body(running, ...args))).silenceID;
const stateOf = async ({ bridge }: Running, id: string) =>
  (await bridge.call<AmSilence>('GET', `${API}/silence/${id}`)).status.state;
const end = ({ bridge }: Running, id: string) => bridge.call('DELETE', `${API}/silence/${id}`);
const fire = ({ bridge }: Running, alertname: string) =>
  bridge.call('POST', `${API}/alerts`, [{ labels: { alertname }, endsAt: iso(bridge.clock.now + 9 * HOUR) }]);
const silencedBy = async ({ bridge }: Running) =>
  (await bridge.call<AmAlert[]>('GET', `${API}/alerts`)).flatMap(({ status }) => status.silencedBy);

describe('a pending silence', () => {
  test('begins by itself: alerts before it are sent, later ones are not until it ends', async () => {
    const running = await start();
    const id = await silence(running, HOUR, 2 * HOUR);
    await fire(running, 'DiskOne');
    expect([await stateOf(running, id), await silencedBy(running)]).toEqual(['pending', []]);
    expect(await sentSoFar(running)).toEqual(['DiskOne triggered']);
    running.bridge.clock.advance(HOUR);
    expect([await stateOf(running, id), await silencedBy(running)]).toEqual(['active', [id]]);
    await fire(running, 'DiskTwo');
    await fire(running, 'Other');
    expect(await sentSoFar(running)).toEqual(['Other triggered']);
    running.bridge.clock.advance(HOUR);
    expect(await stateOf(running, id)).toBe('expired');
    await until(() => expect(sent(running)).toEqual(['DiskTwo triggered']));
  });

  test('keeps its id when its times change, until it has begun; with another start then, it is replaced', async () => {
    const running = await start();
    const id = await silence(running, HOUR, 2 * HOUR);
    expect(await silence(running, 30 * MINUTE, 3 * HOUR, id)).toBe(id);
    running.bridge.clock.advance(40 * MINUTE);
    expect(await stateOf(running, id)).toBe('active');
    const next = await silence(running, HOUR, 2 * HOUR, id);
    expect([next === id, await stateOf(running, id), await stateOf(running, next)]).toEqual([
      false,
      'expired',
      'pending',
    ]);
  });

  test('that is ended never begins', async () => {
    const running = await start();
    const id = await silence(running, HOUR, 2 * HOUR);
    await end(running, id);
    running.bridge.clock.advance(HOUR + MINUTE);
    await fire(running, 'DiskOne');
    expect([await stateOf(running, id), await silencedBy(running)]).toEqual(['expired', []]);
    expect(await sentSoFar(running)).toEqual(['DiskOne triggered']);
  });
});

test('when a silence is deleted, what still fires is sent at once', async () => {
  const running = await start();
  const { bridge } = running;
  const id = await silence(running, 0, 2 * HOUR, undefined, { value: '.+' });
  await fire(running, 'DiskOne');
  await fire(running, 'DiskTwo');
  await bridge.call('POST', `${API}/alerts`, [{ labels: { alertname: 'DiskTwo' }, endsAt: iso(bridge.clock.now) }]);
  // The mark has no label `alertname`.
  expect(await sentSoFar(running)).toEqual([]);
  const [row] = (await bridge.list()).filter(({ title }) => title === 'DiskOne');
  expect((await detailOf(running, row!.id)).thread.suppressed?.id).toBe(id);
  await end(running, id);
  await until(() => expect(sent(running)).toEqual(['DiskOne triggered']));
  expect(await sentSoFar(running)).toEqual(['DiskOne triggered']);
});
