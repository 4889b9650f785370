/** Prometheus alerts on a node instead of the bridge: rules on the bridge's own metrics, and alerts in the inbox. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { Effect } from '../../backend-bridge/contract/endpoint.ts';
import { FakeNode, folderWith, NODE, untilNode } from '../integration/chains.testing.ts';
import type { Provisioned } from '../integration/provisioning.testing.ts';
import { MINUTE } from '../integration/support.ts';
import { packageOf } from '../integration/thresholds.testing.ts';
import { freeAddress } from './support/child.ts';
import { type RuleMonitors, startRuleMonitors } from './support/ruleMonitors.ts';
import { until } from './support/until.ts';

interface World extends Provisioned {
  node: FakeNode;
  monitors: RuleMonitors;
}

/** @param isNamed whether Prometheus' configuration contains the rule file */
async function start(isNamed = true): Promise<World> {
  const dir = temporaryFolder();
  const [node, address] = [await FakeNode.start(), await freeAddress()];
  const prometheusRules = path.join(dir, 'rules.yaml');
  const running = await (
    await folderWith(node)
  ).start(
    {},
    {
      metricsOpen: true,
      monitors: { chainAlerts: 'prometheus', prometheusRules, prometheusUrl: `http://${address}` },
    }
  );
  running.bridge.clock.now = Date.now();
  await untilNode(running, ({ state }) => state === 'synced');
  const monitors = await startRuleMonitors(address, running.bridge.url, isNamed ? prometheusRules : undefined);
  const wanted = isNamed ? 'prometheus applied' : 'bridge applied, prometheus pending: not listed';
  await until(wanted, async () => {
    const { endpoints } = await packageOf(running.bridge, NODE);
    return endpoints.every(({ effects }) => effects.map(effectWords).join(', ') === wanted) || undefined;
  });
  return Object.assign(running, { node, monitors });
}

const effectWords = ({ monitor, state, reason }: Effect): string =>
  `${monitor} ${state}${reason?.includes('has not loaded it') === true ? ': not listed' : ''}`;

/** Advances the bridge by minutes, each with a response of the node, and waits for a scrape. */
async function pass(world: World, minutes: number): Promise<void> {
  const { bridge } = world;
  for (let left = minutes; left > 0; left -= 2) {
    bridge.clock.advance(2 * MINUTE);
    const now = new Date(bridge.clock.now).toISOString();
    await untilNode(world, ({ checkedAt }) => checkedAt === now);
  }
  await looked(world);
}

async function looked({ monitors }: World): Promise<void> {
  const up = 'nodebell_chain_up';
  const before = await monitors.value(`timestamp(${up})`);
  await until(
    'Prometheus has looked',
    async () => ((await monitors.value(`timestamp(${up})`)) ?? 0) > (before ?? 0) || undefined
  );
}

const told = async ({ bridge }: Provisioned): Promise<string[]> =>
  (await bridge.list()).map(({ correlationId, status, source }) => `${correlationId} ${status} by ${source}`);
const untilTold = (world: World, ...wanted: string[]): Promise<unknown> =>
  until(wanted.join(), async () => {
    const now = await told(world);
    if (now.join() === wanted.join()) {
      return true;
    }
    throw new Error(now.join());
  });

test('each rule is valid, and has a value while the node is healthy', async () => {
  const { monitors } = await start();
  const rules = await until('they are evaluated', async () => {
    const all = await monitors.rules();
    return all.length === 4 && all.every(({ health }) => health === 'ok') ? all : undefined;
  });
  expect(rules.map(({ name, state, lastError }) => [name, state, lastError ?? ''])).toEqual([
    ['Fell behind', 'inactive', ''],
    ['No sync progress', 'inactive', ''],
    ['Unreachable', 'inactive', ''],
    ['Few peers', 'inactive', ''],
  ]);
  const values = await Promise.all(rules.map(({ query }) => monitors.value(query.replace(/ (?:>=|>|<) \d+$/, ''))));
  expect(values).toEqual([0, 0, 0, 25]);
});

test('an unreachable node fires once, by Prometheus, and resolves', async () => {
  const world = await start();
  await world.node.stop();
  await untilNode(world, ({ state }) => state === 'unreachable');
  // Failing nodes are polled less and less often.
  for (let minutes = 0; minutes < 12; minutes += 4) {
    world.bridge.clock.advance(4 * MINUTE);
    await looked(world);
  }
  await untilTold(world, 'chain-unreachable triggered by alertmanager');
  const [notice] = await world.bridge.list();
  expect(notice).toMatchObject({
    title: 'geth is unreachable',
    dnpName: NODE,
    priority: 'high',
    thread: { state: 'open' },
  });
  await world.node.start();
  await untilTold(world, 'chain-unreachable resolved by alertmanager', 'chain-unreachable triggered by alertmanager');
});

test('if Prometheus does not load the file, the bridge alerts', async () => {
  const world = await start(false);
  expect(await world.monitors.rules()).toEqual([]);
  await world.node.stop();
  await untilNode(world, ({ state }) => state === 'unreachable');
  for (let minutes = 0; minutes < 12; minutes += 4) {
    world.bridge.clock.advance(4 * MINUTE);
    await looked(world);
  }
  await untilTold(world, 'chain-unreachable triggered by bridge');
});

test('a node that falls behind and then stalls fires once each; alerts remain open while values are absent', async () => {
  const world = await start();
  const { node } = world;
  let block = 100;
  const syncing = (): void => {
    block += 1;
    node.said = { ...node.said, syncing: { currentBlock: `0x${block.toString(16)}`, highestBlock: '0x3e8' } };
  };
  for (let minutes = 0; minutes < 14; minutes += 2) {
    syncing();
    await pass(world, 2);
  }
  await untilTold(world, 'chain-behind triggered by alertmanager');
  await pass(world, 12);
  await untilTold(world, 'chain-stalled triggered by alertmanager', 'chain-behind triggered by alertmanager');
  node.said = { ...node.said, syncing: false, block: '0x3e8' };
  await until('both are over', async () => {
    const now = await told(world);
    return (now.length === 4 && now.slice(0, 2).every((one) => one.includes('resolved by alertmanager'))) || undefined;
  });
});
