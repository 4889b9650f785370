/** Grafana alerts on a node instead of the bridge: rules, threads, and who alerts while Grafana is unavailable. */
import { expect, onTestFinished, test } from 'vitest';
import type { Effect } from '../../backend-bridge/contract/endpoint.ts';
import { FakeGrafana } from '../../backend-bridge/src/monitoring/monitors/grafana/fakeGrafana.testing.ts';
import { ruleUid } from '../../backend-bridge/src/monitoring/monitors/grafana/rule.ts';
import { FakeNode, folderWith, NODE, untilNode } from './chains.testing.ts';
import { eventually, type Folder, type Provisioned } from './provisioning.testing.ts';
import { MINUTE } from './support.ts';
import { packageOf, patch } from './thresholds.testing.ts';

interface World extends Provisioned {
  node: FakeNode;
  grafana: FakeGrafana;
  folder: Folder;
}

async function start(grafana = new FakeGrafana()): Promise<World> {
  const server = await grafana.listen();
  onTestFinished(() => server.close());
  const node = await FakeNode.start();
  const folder = await folderWith(node);
  const running = await folder.start(
    {},
    { monitors: { chainAlerts: 'grafana', grafana: { url: server.url, token: 'glsa_x', datasource: 'prom' } } }
  );
  await untilNode(running, ({ state }) => state === 'synced');
  return Object.assign(running, { node, grafana, folder });
}

const ids = ['chain-behind', 'chain-stalled', 'chain-unreachable', 'chain-peers'];
async function effects({ bridge }: Provisioned): Promise<Record<string, Partial<Effect>[]>> {
  const { endpoints } = await packageOf(bridge, NODE);
  return Object.fromEntries(endpoints.map((one) => [one.correlationId, one.effects]));
}
const states = async (world: World, id: string): Promise<string[]> =>
  ((await effects(world))[id] ?? []).map(({ monitor, state }) => `${monitor} ${state}`);
const allHandedOver = (world: World): Promise<unknown> =>
  eventually(async () => {
    for (const id of ids) {
      expect(await states(world, id)).toEqual(['grafana applied']);
    }
  });

/** Advances the clock while Prometheus scrapes the metrics. */
async function pass({ bridge }: World, minutes: number): Promise<string> {
  let metrics = '';
  for (let left = minutes; left > 0; left -= 4) {
    metrics = await bridge.call<string>('GET', '/metrics');
    bridge.clock.advance(Math.min(4, left) * MINUTE);
  }
  return metrics;
}

/** Sends the webhook that Grafana would send for the rule. */
async function alert({ bridge, grafana }: World, correlationId: string, status: 'firing' | 'resolved'): Promise<void> {
  const rule = grafana.rules.get(ruleUid({ dnpName: NODE, correlationId })) as unknown as Record<string, object>;
  const { labels, annotations, title } = rule;
  const started = new Date(bridge.clock.now).toISOString();
  await bridge.call('POST', '/api/v1/webhooks/grafana', {
    receiver: 'Nodebell',
    status,
    alerts: [
      {
        status,
        labels: { alertname: title, grafana_folder: 'Nodebell', ...labels },
        annotations,
        startsAt: status === 'firing' ? started : new Date(bridge.clock.now - MINUTE).toISOString(),
        endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : started,
        generatorURL: '',
        fingerprint: 'f00d',
        values: { A: 11, B: 1 },
      },
    ],
    version: '1',
    groupKey: 'x',
    orgId: 1,
  });
}

test("each endpoint is a rule with its threshold; Grafana alerts in the bridge's thread, and the bridge does not", async () => {
  const world = await start();
  const { bridge, grafana, node } = world;
  await allHandedOver(world);
  expect([...grafana.rules.keys()].sort()).toEqual(
    ids.map((id) => ruleUid({ dnpName: NODE, correlationId: id })).sort()
  );
  await patch(bridge, 'chain-unreachable', { threshold: 7 }, { name: NODE });
  await eventually(() => {
    const rule = JSON.stringify(grafana.rules.get(ruleUid({ dnpName: NODE, correlationId: 'chain-unreachable' })));
    return Promise.resolve(expect(rule).toContain('"params":[7],"type":"gte"'));
  });

  await node.stop();
  await untilNode(world, ({ state }) => state === 'unreachable');
  await pass(world, 12);
  const { checkedAt } = await untilNode(world, (one) => one.checkedAt === new Date(bridge.clock.now).toISOString());
  expect(checkedAt).toBeDefined();
  const metrics = await bridge.call<string>('GET', '/metrics');
  const seconds = /^nodebell_chain_unanswered_seconds\{.*\} (\d+)$/m.exec(metrics)?.[1];
  expect(Number(seconds)).toBeGreaterThanOrEqual(7 * 60);
  expect(await bridge.titles()).toEqual([]);
  await alert(world, 'chain-unreachable', 'firing');
  expect(await bridge.list()).toMatchObject([
    {
      title: 'geth is unreachable',
      body: expect.stringContaining('No usable response for 7 min') as string,
      correlationId: 'chain-unreachable',
      dnpName: NODE,
      category: 'chain',
      priority: 'high',
      source: 'grafana',
      thread: { state: 'open' },
    },
  ]);

  await node.start();
  await untilNode(world, ({ state }) => state === 'synced');
  expect(await bridge.titles()).toHaveLength(1);
  bridge.clock.advance(MINUTE);
  await alert(world, 'chain-unreachable', 'resolved');
  expect(await bridge.list()).toMatchObject([
    { status: 'resolved', source: 'grafana', thread: { state: 'resolved' } },
    { status: 'triggered' },
  ]);
});

test('the bridge alerts while Grafana rejects the rules, and resolves its alerts before it hands over', async () => {
  const grafana = new FakeGrafana();
  grafana.status = 503;
  const world = await start(grafana);
  const { bridge, node } = world;
  await eventually(async () =>
    expect(await states(world, 'chain-unreachable')).toEqual(['bridge applied', 'grafana pending'])
  );
  await node.stop();
  await untilNode(world, ({ state }) => state === 'unreachable');
  await pass(world, 12);
  await eventually(async () => expect(await bridge.titles()).toEqual(['Ethereum Sepolia (geth) is unreachable']));

  grafana.status = undefined;
  await patch(bridge, 'chain-peers', { threshold: 3 }, { name: NODE });
  await eventually(async () => expect(await states(world, 'chain-peers')).toEqual(['grafana applied']));
  // While a sync looks at the open alerts, the bridge sends none of this node.
  await eventually(async () =>
    expect((await effects(world))['chain-unreachable']).toMatchObject([
      { monitor: 'bridge', state: 'applied' },
      { monitor: 'grafana', state: 'pending', reason: expect.stringContaining('when it resolves') as string },
    ])
  );
  expect(grafana.rules.size).toBe(3);

  await node.start();
  await eventually(async () =>
    expect(await bridge.list()).toMatchObject([{ status: 'resolved', source: 'bridge' }, {}])
  );
  await patch(bridge, 'chain-peers', { threshold: 4 }, { name: NODE });
  await allHandedOver(world);
  expect(await bridge.titles()).toHaveLength(2);
});

test('the bridge alerts while nothing scrapes its metrics, but does not repeat alerts of Grafana', async () => {
  const world = await start();
  const { bridge, node } = world;
  await allHandedOver(world);
  await node.stop();
  await untilNode(world, ({ state }) => state === 'unreachable');
  await pass(world, 12);
  await alert(world, 'chain-unreachable', 'firing');
  // Ten minutes without a scrape.
  bridge.clock.advance(10 * MINUTE);
  await untilNode(world, (one) => one.checkedAt === new Date(bridge.clock.now).toISOString());
  await eventually(async () => expect(await states(world, 'chain-unreachable')).toContain('bridge applied'));
  expect(await bridge.titles()).toEqual(['geth is unreachable']);
  await node.start();
  await eventually(async () =>
    expect(await bridge.list()).toMatchObject([
      { status: 'resolved', source: 'bridge', thread: { state: 'resolved' } },
      {},
    ])
  );
});

test('rules are removed with their package', async () => {
  const world = await start();
  await allHandedOver(world);
  await world.folder.write({ 'all.yaml': 'apiVersion: 1\npackages: []\n' });
  await eventually(() => Promise.resolve(expect(world.grafana.rules.size).toBe(0)));
});
