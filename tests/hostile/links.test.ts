/** Bridges that send to each other under names that collide, differ or lead back: no alert is lost, repeated or sent in a loop. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChannelList, Undelivered } from '../../backend-bridge/contract/channel.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';

const API = '/api/v1';
const ALERTS = ['disk', 'memory', 'peers', 'power', 'sync'];

const dir = mkdtempSync(path.join(tmpdir(), 'nodebell-links-'));
const running: RunningBridge[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((bridge) => bridge.stop()));
  rmSync(dir, { recursive: true, force: true });
});

const start = async (dataDir?: string, port?: string): Promise<RunningBridge> => {
  const settings = {
    NODEBELL_AUTH: 'sender-open',
    NODEBELL_SECRET_KEY: 'the-secret-key-of-both',
    NODEBELL_OUTBOUND_ALLOW: '127.0.0.1',
    ...(port !== undefined && { NODEBELL_PORT: port }),
  };
  const bridge = await runBridge(dataDir, settings);
  running.push(bridge);
  return bridge;
};

async function call<T>(bridge: RunningBridge, method: string, to: string, body: unknown): Promise<T> {
  const response = await fetch(`${bridge.url}${API}/${to}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(300);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
const read = async <T>(bridge: RunningBridge, from: string): Promise<T> =>
  (await (await bridge.get(`${API}/${from}`)).json()) as T;

/** A channel of this bridge, to which all packages but the bridge's own are routed. */
async function connect(bridge: RunningBridge, channel: object): Promise<void> {
  await call(bridge, 'POST', 'channels', { name: 'other', ...channel });
  await call(bridge, 'PUT', 'routes', { routes: [{ channels: ['other'], packages: ['dms'] }] });
}
const link = async (from: RunningBridge, to: RunningBridge, { node, as }: { node: string; as?: string }) => {
  const sender = { name: `from-${node}`, ...(as !== undefined && { node: as }) };
  const { token } = await call<{ token: string }>(to, 'POST', 'tokens', sender);
  await connect(from, { type: 'nodebell', url: to.url, token, node });
};

const send = (bridge: RunningBridge, correlationId: string): Promise<unknown> =>
  call(bridge, 'POST', 'notifications', {
    title: `Alert ${correlationId}`,
    body: 'B',
    dnpName: 'dms',
    correlationId,
    priority: 'critical',
    status: 'triggered',
  });
const alertsOf = async (bridge: RunningBridge): Promise<string[]> =>
  (await read<Notification[]>(bridge, 'notifications?dnpName=dms&limit=1000')).map((one) => one.correlationId).sort();
const undeliveredOf = async (bridge: RunningBridge) =>
  (await read<Undelivered>(bridge, 'channels/undelivered')).undelivered;
const channelOf = async (bridge: RunningBridge) => (await read<ChannelList>(bridge, 'channels')).channels[0];

/** Until nothing waits at any of them, and nothing has arrived while that was asked. */
const quiet = (...bridges: RunningBridge[]): Promise<void> =>
  vi.waitFor(
    async () => {
      const look = () =>
        Promise.all(bridges.map(async (one) => [(await channelOf(one))?.waiting ?? 0, (await alertsOf(one)).length]));
      const [before, after] = [await look(), await look()];
      expect(before.every(([waiting]) => waiting === 0)).toBe(true);
      expect(after).toEqual(before);
    },
    { timeout: 30_000, interval: 100 }
  );

test('two bridges send to each other under one name: each alert arrives', async () => {
  const [a, b] = [await start(), await start()];
  await link(a, b, { node: 'attic' });
  await link(b, a, { node: 'attic' });
  await Promise.all(ALERTS.map((id) => send(a, id)));
  await send(b, 'of b');
  await quiet(a, b);
  expect(await alertsOf(b)).toEqual([...ALERTS, 'of b'].sort());
  expect(await alertsOf(a)).toEqual([...ALERTS, 'of b'].sort());
  expect([...(await undeliveredOf(a)), ...(await undeliveredOf(b))]).toEqual([]);
});

test('two bridges whose tokens and channels use different names: no alert comes back', async () => {
  const [a, b] = [await start(), await start()];
  await link(a, b, { node: 'roof', as: 'attic' });
  await link(b, a, { node: 'basement', as: 'cellar' });
  await Promise.all([send(a, 'of a'), send(b, 'of b')]);
  await quiet(a, b);
  expect(await alertsOf(a)).toEqual(['of a', 'of b']);
  expect(await alertsOf(b)).toEqual(['of a', 'of b']);
});

test('a webhook that leads back to its bridge: an alert is stored once and listed as undelivered', async () => {
  const a = await start();
  await connect(a, { type: 'webhook', url: `${a.url}${API}/notifications` });
  await send(a, 'disk');
  await vi.waitFor(async () => expect((await alertsOf(a)).length + (await undeliveredOf(a)).length).toBeGreaterThan(1));
  await quiet(a);
  expect(await alertsOf(a)).toEqual(['disk']);
  expect(await undeliveredOf(a)).toMatchObject([
    {
      title: 'Alert disk',
      reason: expect.stringMatching(/^The server responds with 409: .*been at that bridge before/),
    },
  ]);
  expect(await channelOf(a)).toMatchObject({ state: 'failing', waiting: 0, undelivered: 1 });
});

test('two bridges with webhooks to each other: an alert is stored once by each', async () => {
  const [a, b] = [await start(), await start()];
  await connect(a, { type: 'webhook', url: `${b.url}${API}/notifications` });
  await connect(b, { type: 'webhook', url: `${a.url}${API}/notifications` });
  await send(a, 'disk');
  await vi.waitFor(async () => expect((await alertsOf(b)).length).toBeGreaterThan(0));
  await quiet(a, b);
  expect([await alertsOf(a), await alertsOf(b)]).toEqual([['disk'], ['disk']]);
  expect(await undeliveredOf(b)).toMatchObject([{ title: 'Alert disk' }]);
});

test('a bridge that was started from a copy of the data of another: both report it, and with an id of its own it gets the alert', async () => {
  const first = await runBridge(path.join(dir, 'first'));
  await first.stop();
  cpSync(path.join(dir, 'first'), path.join(dir, 'second'), { recursive: true });
  const [a, b] = [await start(path.join(dir, 'first')), await start(path.join(dir, 'second'))];
  await link(a, b, { node: 'attic' });
  await send(a, 'disk');
  await quiet(a, b);
  expect(await undeliveredOf(a)).toMatchObject([
    { title: 'Alert disk', reason: expect.stringMatching(/same identity/) },
  ]);
  const own = () => read<Notification[]>(b, 'notifications?dnpName=nodebell');
  await vi.waitFor(async () =>
    expect(await own()).toMatchObject([{ title: expect.stringMatching(/identity/), status: 'triggered' }])
  );
  // As docs/channels.md says.
  await b.stop();
  const store = new SqliteDatabase(path.join(dir, 'second', 'nodebell.db'));
  store.exec("delete from series where name = 'bridge'");
  store.close();
  const again = await start(path.join(dir, 'second'), new URL(b.url).port);
  await call(a, 'POST', `channels/undelivered/${(await undeliveredOf(a))[0]!.id}/send`, undefined);
  await vi.waitFor(async () => expect(await alertsOf(again)).toEqual(['disk']), { timeout: 10_000, interval: 100 });
  expect(await undeliveredOf(a)).toEqual([]);
});
