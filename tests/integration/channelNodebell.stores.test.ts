/** Channel `nodebell` and heartbeats: two bridges, the lower one (`attic`) sends to the upper one. */
import { expect, test, vi } from 'vitest';
import type { BatchAnswer } from '../../backend-bridge/contract/batch.ts';
import type { ChannelList } from '../../backend-bridge/contract/channel.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { Token } from '../../backend-bridge/contract/token.ts';
import { Folder, type Provisioned } from './provisioning.testing.ts';
import { startBalancer } from './replicasProcess.testing.ts';
import { expectProblem, MINUTE, NOTIFICATIONS, SECOND, type TestBridge } from './support.ts';

const TOKEN = 'the-token-of-the-attic';

const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 50 });

interface Pair {
  upper: TestBridge;
  lower: TestBridge;
}

const start = async (file: string, env: Record<string, string>): Promise<Provisioned> =>
  (await Folder.make({ 'nodes.yaml': `apiVersion: 1\n${file}` })).start(env);

async function pair(more = '', routes = '  - { channels: [upstairs] }'): Promise<Pair> {
  const sender = '  - { name: attic, token: $TOKEN, node: attic }';
  const upper = await start(`senders:\n${sender}\n${more}`, { TOKEN });
  // An address that stays the same when it is restarted.
  const url = await startBalancer([
    {
      get url() {
        return upper.bridge.isRunning ? upper.bridge.url : '';
      },
    },
  ]);
  const channel = `  - { name: upstairs, type: nodebell, url: '${url}', token: $TOKEN, node: attic }`;
  const lower = await start(`channels:\n${channel}\nroutes:\n${routes}`, { TOKEN });
  return { upper: upper.bridge, lower: lower.bridge };
}

const disk = (bridge: TestBridge, more: object = {}): Promise<Notification> =>
  bridge.send({ title: 'Disk full', dnpName: 'dms', correlationId: 'disk', category: 'hardware', ...more });
const of = (bridge: TestBridge, query = ''): Promise<Notification[]> => bridge.list(`limit=1000&${query}`);

test('a thread opens, resolves and stays apart from that of the upper bridge; texts and times are whole', async () => {
  const { upper, lower } = await pair();
  await disk(upper, { status: 'triggered' });
  upper.clock.advance(MINUTE);
  const body = 'x'.repeat(100_000);
  const more = {
    status: 'triggered',
    priority: 'critical',
    isBanner: true,
    callToAction: { title: 'Go', url: 'http://attic/x' },
  };
  const sent = await disk(lower, { ...more, body });
  await until(async () => expect(await of(upper, 'node=attic')).toHaveLength(1));
  const [arrived] = await of(upper, 'node=attic');
  expect(arrived).toMatchObject({
    ...more,
    node: 'attic',
    sentAt: sent.timestamp,
    dnpName: 'dms',
    correlationId: 'disk',
    thread: { state: 'open', count: 1 },
  });
  expect(await upper.call<string>('GET', `${NOTIFICATIONS}/${arrived!.id}/body`)).toHaveLength(body.length);
  await disk(lower, { status: 'resolved', priority: 'low' });
  await until(async () =>
    expect((await of(upper, 'latest=true')).map(({ node, thread }) => [node, thread.state])).toEqual([
      ['attic', 'resolved'],
      [undefined, 'open'],
    ])
  );
  expect((await upper.facets()).nodes).toMatchObject([
    { node: '-', open: 1 },
    { node: 'attic', open: 0 },
  ]);
  const metrics = String((await upper.request('GET', '/metrics')).body);
  expect(metrics.match(/^nodebell_node_notifications_received_total.*/gm)).toEqual([
    'nodebell_node_notifications_received_total{node="attic"} 2',
  ]);
  const detail = await lower.get(sent.id);
  expect(detail.deliveries).toMatchObject([{ channel: 'upstairs', state: 'sent' }]);
});

test('what routes lead there follows its thread, also resolved by hand; the rest stays', async () => {
  const { upper, lower } = await pair('', '  - { channels: [upstairs], priority: high }');
  await disk(lower, { priority: 'low', correlationId: 'small' });
  const { id } = await disk(lower, { priority: 'high', status: 'triggered' });
  await until(async () => expect(await of(upper)).toHaveLength(1));
  await lower.call('POST', `${NOTIFICATIONS}/${id}/resolve`);
  await until(async () =>
    expect(await of(upper, 'latest=true')).toMatchObject([{ status: 'resolved', thread: { count: 2 } }])
  );
});

test('with the upper bridge down, 1,000 wait and arrive once, in order; one that it rejects holds up no other', async () => {
  const { upper, lower } = await pair();
  await disk(lower, { correlationId: 'before' });
  await until(async () => expect(await of(upper)).toHaveLength(1));
  await upper.stop();
  for (let at = 0; at < 1000; at += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => disk(lower, { title: `n${at + index}`, correlationId: `c${index}` }))
    );
  }
  const waiting = await of(lower, 'dnpName=dms');
  await until(async () => {
    lower.clock.advance(SECOND);
    const { channels } = await lower.call<ChannelList>('GET', '/api/v1/channels');
    expect(channels).toMatchObject([{ name: 'upstairs', state: 'failing', waiting: 1000, giveUpAfter: '7d' }]);
  });
  await upper.start();
  await until(async () => {
    lower.clock.advance(SECOND);
    expect((await of(upper, 'latest=false&from=0')).length).toBe(1000);
    expect(await upper.unseenCount()).toBe(1001);
  });
  const titles = waiting.map(({ title }) => title);
  expect((await of(upper)).map(({ title }) => title)).toEqual(titles.slice(0, 1000));
});

test('what has been at the bridge before is returned; what a copy of it sends is reported, again if that was resolved', async () => {
  const { upper } = await pair();
  const [X, Y] = ['00000000000a', '00000000000b'];
  let last = 0;
  const batch = (...via: string[]) =>
    upper.call<BatchAnswer>('POST', `${NOTIFICATIONS}/batch`, {
      notifications: [{ idempotencyKey: `k-${(last += 1)}`, title: 't', body: '', node: 'x/attic/x', via }],
    });
  const { bridge } = await batch(X, Y);
  expect(await batch(X, Y)).toEqual({ bridge, accepted: 1, duplicates: 0, returned: [], rejected: [] });
  expect(await batch(X, bridge, Y)).toMatchObject({ accepted: 0, returned: [0] });
  const own = () => of(upper, 'dnpName=nodebell&latest=true');
  expect(await own()).toEqual([]);
  for (let time = 1; time <= 3; time += 2) {
    expect(await batch(X, bridge)).toMatchObject({ accepted: 0, returned: [0] });
    await until(async () => expect(await own()).toMatchObject([{ status: 'triggered', thread: { count: time } }]));
    const [alert] = await own();
    await batch(X, bridge);
    await upper.call('POST', `${NOTIFICATIONS}/${alert!.id}/resolve`);
    upper.clock.advance(MINUTE);
  }
});

test('a webhook: what has been at the bridge before is a 409, and a header that no bridge sets a 400', async () => {
  const { upper } = await pair();
  const notifications = [{ idempotencyKey: 'k', title: 't', body: '' }];
  const { bridge } = await upper.call<BatchAnswer>('POST', `${NOTIFICATIONS}/batch`, { notifications });
  const [X, SIX] = ['00000000000a', Array.from({ length: 6 }, (_, index) => `00000000000${index}`).join(',')];
  const webhooks = { gatus: { title: 't' }, alertmanager: { status: 'firing', alerts: [] }, grafana: {} };
  for (const [path, body] of [
    [NOTIFICATIONS, { title: 't', body: '' }],
    ...Object.entries(webhooks).map(([name, sent]) => [`/api/v1/webhooks/${name}`, sent] as const),
  ] as const) {
    const send = (via: string) => upper.request('POST', path, body, { 'Nodebell-Via': via });
    expect(expectProblem(await send(`${X}, ${bridge}`), 409).type).toBe('/api/v1/problems/loop');
    for (const via of ['x', SIX, '']) {
      expect(expectProblem(await send(via), 400).errors).toMatchObject([{ pointer: 'Nodebell-Via' }]);
    }
  }
  expect((await upper.post({}, { 'Nodebell-Via': X })).status).toBe(201);
  expect(await of(upper)).toHaveLength(2);
});

test('a batch says which of it cannot be stored, and what was stored before', async () => {
  const { upper } = await pair();
  const notifications = [
    { idempotencyKey: 'a', title: 'one', body: '' },
    { idempotencyKey: 'b', node: 'attic' },
    { idempotencyKey: 'c', title: 'three', body: '', priority: 'none' },
  ];
  const send = () => upper.call('POST', `${NOTIFICATIONS}/batch`, { notifications });
  expect(await send()).toMatchObject({ accepted: 2, duplicates: 0, rejected: [{ index: 1 }] });
  expect(await send()).toMatchObject({ accepted: 0, duplicates: 2, rejected: [{ index: 1 }] });
  expect((await upper.request('POST', '/api/v1/heartbeat')).status).toBe(204);
  expect((await upper.request('POST', '/api/v1/heartbeat', undefined, { Authorization: '' })).status).toBe(400);
});

test('a test reaches the upper bridge; a wrong token is a reason without it', async () => {
  const { upper, lower } = await pair();
  expect(await lower.call('POST', '/api/v1/channels/upstairs/test')).toEqual({ delivered: true });
  expect(await of(upper)).toMatchObject([{ title: 'Test', node: 'attic' }]);
  const channel = `  - { name: up, type: nodebell, url: '${upper.url}', token: nbs_wrong-token-of-nobody, node: b }`;
  const { bridge } = await start(`channels:\n${channel}`, {});
  const result = await bridge.call<{ reason: string }>('POST', '/api/v1/channels/up/test');
  expect(result).toEqual({ delivered: false, reason: 'The server responds with 403: Unknown sender token.' });
});

test('silence is reported once, and the return; what the upper bridge was down for does not count', async () => {
  const { upper, lower } = await pair(
    'heartbeats:\n  - { name: attic, interval: 5m, priority: critical }\n  - { name: sooner, sender: attic, interval: 2m }'
  );
  const alarms = () => of(upper, 'dnpName=nodebell&latest=true');
  const heartbeat = async (): Promise<Token['heartbeat']> =>
    (await upper.call<Token[]>('GET', '/api/v1/tokens')).find(({ name }) => name === 'attic')?.heartbeat;
  // The lower bridge sends one by itself.
  await until(async () =>
    expect(await upper.call<Token[]>('GET', '/api/v1/tokens')).toMatchObject([{ lastUsedAt: expect.any(String) }])
  );
  await lower.stop();
  await upper.stop();
  upper.clock.advance(60 * MINUTE);
  await upper.start();
  upper.clock.advance(4.5 * MINUTE);
  await until(async () => expect(await alarms()).toMatchObject([{ title: 'sooner has been silent for 2 min' }]));
  // With replicas, the use of a token may be known two minutes late.
  upper.clock.advance(4 * MINUTE);
  await until(async () =>
    expect(await alarms()).toMatchObject([
      {
        title: 'attic has been silent for 5 min',
        priority: 'critical',
        status: 'triggered',
        thread: { state: 'open' },
      },
      { title: 'sooner has been silent for 2 min' },
    ])
  );
  expect(await heartbeat()).toMatchObject({ silent: true });
  expect(String((await upper.request('GET', '/metrics')).body)).toContain(
    'nodebell_heartbeat_silent{heartbeat="attic"} 1'
  );
  await upper.restart();
  await lower.start();
  await until(async () =>
    expect((await alarms()).map(({ title, thread }) => [title, thread.state, thread.count]).sort()).toEqual([
      ['attic is back', 'resolved', 2],
      ['sooner is back', 'resolved', 2],
    ])
  );
});

test('nothing waits for another bridge, which decides that itself', async () => {
  const channels = `channels:
  - { name: hook, type: webhook, url: 'http://h/' }
  - { name: up, type: nodebell, url: 'http://h/', token: t, node: attic }`;
  const routes = `routes:
  - { channels: [hook, up], digest: hourly }
  - { channels: [up], unacknowledged: 10m, dropResolved: true }
  - { channels: [up], dropResolved: false }`;
  const folder = await Folder.make({ 'reach.yaml': `apiVersion: 1\n${channels}\n${routes}` });
  expect(await (await folder.start()).mistakes('reach.yaml')).toEqual([
    'reach.yaml:6:37 The other bridge decides what waits: put up into a route without "digest".',
    'reach.yaml:7:39 The other bridge decides what waits: put up into a route without "unacknowledged".',
    'reach.yaml:7:58 The other bridge decides what waits: put up into a route without "dropResolved".',
  ]);
});
