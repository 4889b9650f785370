/** Alertmanager's API: an alert that several senders report, such as two Prometheus servers with tokens of their own. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AmAlert } from '../../backend-bridge/contract/alertmanager.ts';
import { MINUTE, TestBridge } from './support.ts';

const API = '/alertmanager/api/v2';
const iso = (ms: number): string => new Date(ms).toISOString();

const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 50 });

async function start(packages: { a?: string[]; b?: string[] } = {}) {
  const bridge = await TestBridge.start();
  onTestFinished(() => bridge.dispose());
  const tokenOf = async (name: 'a' | 'b') => {
    const body = { name, packages: packages[name] ?? [] };
    return (await bridge.call<{ token: string }>('POST', '/api/v1/tokens', body)).token;
  };
  const tokens = { a: await tokenOf('a'), b: await tokenOf('b') };
  /** @param ends in minutes */
  const send = async (from: 'a' | 'b', ends: number, began = 1) => {
    const { now } = bridge.clock;
    const times = { startsAt: iso(now - began * MINUTE), endsAt: iso(now + ends * MINUTE) };
    const alert = { labels: { alertname: 'Disk' }, annotations: { summary: `by ${from}` }, ...times };
    const headers = { Authorization: `Bearer ${tokens[from]}` };
    expect((await bridge.request('POST', `${API}/alerts`, [alert], headers)).status).toBe(200);
  };
  const alerts = () => bridge.call<AmAlert[]>('GET', `${API}/alerts`);
  const states = async (query = '') => (await bridge.list(query)).map(({ status }) => status).reverse();
  /** As the inbox and the API show it. */
  const shown = async () => [(await bridge.list()).at(0)!.thread?.state, (await alerts()).length];
  return { bridge, tokens, send, alerts, states, shown };
}

describe('an alert of two senders', () => {
  test('fires with the first, and resolves with the last; the inbox and the API agree', async () => {
    const { bridge, send, alerts, states, shown } = await start();
    await send('a', 4, 2);
    bridge.clock.advance(1000);
    await send('b', 4, 1);
    expect(await states()).toEqual(['triggered']);
    expect(await alerts()).toMatchObject([
      { annotations: { summary: 'by b' }, startsAt: iso(bridge.clock.now - 1000 - 2 * MINUTE) },
    ]);
    await send('a', -0.5);
    expect([await states(), await shown()]).toEqual([['triggered'], ['open', 1]]);
    await bridge.restart();
    expect(await shown()).toEqual(['open', 1]);
    await send('a', 4, 2);
    expect(await states()).toEqual(['triggered']);
    await send('a', -0.5);
    await send('b', -0.5);
    expect([await states(), await shown()]).toEqual([
      ['triggered', 'resolved'],
      ['resolved', 0],
    ]);
    await send('b', 4);
    expect([await states(), await shown()]).toEqual([
      ['triggered', 'resolved', 'triggered'],
      ['open', 1],
    ]);
  });

  test('stays open when one of them falls silent, and times out with the other', async () => {
    const { bridge, send, alerts, states, shown } = await start();
    await send('b', 6);
    bridge.clock.advance(1000);
    await send('a', 2);
    bridge.clock.advance(3 * MINUTE);
    // The latest news is that of the other, once the end of this one has been noticed.
    await until(async () => expect(await alerts()).toMatchObject([{ annotations: { summary: 'by b' } }]));
    expect([await states(), await shown()]).toEqual([['triggered'], ['open', 1]]);
    bridge.clock.advance(4 * MINUTE);
    await until(async () => expect(await shown()).toEqual(['resolved', 0]));
    expect(await states()).toEqual(['triggered', 'resolved']);
  });

  test('of different packages has a thread for each', async () => {
    const { send, states } = await start({ a: ['nas'], b: ['router'] });
    await send('a', 4);
    await send('b', 4);
    await send('a', -0.5);
    expect([await states('dnpName=nas'), await states('dnpName=router')]).toEqual([
      ['triggered', 'resolved'],
      ['triggered'],
    ]);
  });
});

test("an alert of a package that is not the token's is rejected; the others of its request are received", async () => {
  const { bridge, tokens, alerts, states } = await start({ a: ['nas'] });
  const body = [{ alertname: 'Disk' }, { alertname: 'Update', package: 'openssl' }, { alertname: 'Fan' }];
  const response = await bridge.request(
    'POST',
    `${API}/alerts`,
    body.map((labels) => ({ labels })),
    { Authorization: `Bearer ${tokens.a}` }
  );
  expect([response.status, response.body]).toEqual([
    400,
    'alert 1: This token may send for "nas" only; found "openssl".',
  ]);
  expect((await alerts()).map(({ labels }) => labels.alertname).sort()).toEqual(['Disk', 'Fan']);
  expect(await states('dnpName=nas')).toEqual(['triggered', 'triggered']);
});
