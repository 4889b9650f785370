/** The sync state of nodes, with a whole bridge: the API, the event, the metrics, notifications and thresholds. */
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FakeNode, folderWith, NODE, nodeOf, untilNode, watching } from './chains.testing.ts';
import { Listener } from './listener.ts';
import { eventually, manifest, type Provisioned } from './provisioning.testing.ts';
import { MINUTE } from './support.ts';
import { packageOf } from './thresholds.testing.ts';

/** Stops a synced node until its alert is due. */
async function goDown(running: Provisioned, node: FakeNode): Promise<void> {
  await untilNode(running, ({ state }) => state === 'synced');
  await node.stop();
  await untilNode(running, ({ state }) => state === 'unreachable');
  running.bridge.clock.advance(11 * MINUTE);
}

test('a node is polled at its provisioned address, and reported over HTTP, as an event and as metrics', async () => {
  const node = await FakeNode.start();
  node.said = { syncing: { currentBlock: '0x64', highestBlock: '0x3e8' }, block: '0x64', peers: '0x3' };
  const running = await watching(node);
  const listener = await Listener.connect(running.bridge);
  const reported = await untilNode(running, ({ state }) => state === 'syncing');
  expect(reported).toMatchObject({
    title: 'Ethereum Sepolia',
    name: 'geth',
    packageVersion: '1.0.0',
    upstreamVersion: 'v1.17.4',
    version: 'Geth/v1.17.4',
    current: 100,
    target: 1000,
    behind: 900,
    ratio: 0.1,
    secondsLeft: null,
    peers: 3,
    interval: 1,
    limits: { behind: 60, peers: 5 },
  });
  await listener.until(({ type, data }) => type === 'chain' && data.nodes[0]?.state === 'syncing');
  const metrics = await running.bridge.call<string>('GET', '/metrics');
  const labels = `{package="${NODE}",chain="ethereum"}`;
  expect(metrics.split('\n').filter((line) => line.startsWith('nodebell_chain_'))).toEqual([
    `nodebell_chain_up${labels} 1`,
    `nodebell_chain_unanswered_seconds${labels} 0`,
    `nodebell_chain_blocks_current${labels} 100`,
    `nodebell_chain_blocks_target${labels} 1000`,
    `nodebell_chain_blocks_behind${labels} 900`,
    `nodebell_chain_peers${labels} 3`,
    `nodebell_chain_sync_ratio${labels} 0.1`,
  ]);
  node.said = { ...node.said, syncing: false, block: '0x3e8' };
  await listener.until(({ type, data }) => type === 'chain' && data.nodes[0]?.state === 'synced');
  await listener.close();
});

test('an unreachable node fires once, and resolves when it responds again, across a restart', async () => {
  const node = await FakeNode.start();
  const running = await watching(node);
  const { bridge } = running;
  await untilNode(running, ({ state }) => state === 'synced');
  await node.stop();
  const gone = await untilNode(running, ({ state }) => state === 'unreachable');
  expect(gone).toMatchObject({ cause: 'refused', current: 16 });
  expect(await bridge.call<string>('GET', '/metrics')).toContain(
    'nodebell_chain_up{package="geth.dnp.dappnode.eth",chain="ethereum"} 0'
  );
  expect(await bridge.titles()).toEqual([]);
  bridge.clock.advance(11 * MINUTE);
  await eventually(async () => expect(await bridge.titles()).toEqual(['Ethereum Sepolia (geth) is unreachable']));
  const [notice] = await bridge.list();
  expect(notice).toMatchObject({
    dnpName: NODE,
    category: 'chain',
    correlationId: 'chain-unreachable',
    priority: 'high',
    source: 'bridge',
    status: 'triggered',
    thread: { state: 'open' },
  });
  await bridge.restart();
  await untilNode(running, ({ state }) => state === 'unreachable');
  await node.start();
  await eventually(async () => expect(await bridge.titles()).toHaveLength(2));
  expect(await bridge.list()).toMatchObject([
    { status: 'resolved', thread: { state: 'resolved' } },
    { status: 'triggered', thread: { state: 'resolved' } },
  ]);
});

test('a node that was in sync before a restart of the bridge and is behind after it fires', async () => {
  const node = await FakeNode.start();
  const running = await watching(node);
  const { bridge } = running;
  await untilNode(running, ({ state }) => state === 'synced');
  node.said = { ...node.said, syncing: { currentBlock: '0x64', highestBlock: '0x3e8' }, block: '0x64' };
  await bridge.restart();
  await untilNode(running, ({ state }) => state === 'syncing');
  // Small steps: the minutes without a response are counted anew after a gap.
  for (let block = 0x65; block < 0x68; block += 1) {
    const current = `0x${block.toString(16)}`;
    node.said = { ...node.said, syncing: { currentBlock: current, highestBlock: '0x3e8' }, block: current };
    bridge.clock.advance(4 * MINUTE);
    await untilNode(running, (reported) => reported.current === block);
  }
  await eventually(async () => expect(await bridge.titles()).toEqual(['Ethereum Sepolia (geth) has fallen behind']));
});

test('its alerts have thresholds and switches', async () => {
  const node = await FakeNode.start();
  const running = await watching(node);
  const { bridge } = running;
  await untilNode(running, ({ state }) => state === 'synced');
  const endpoint = `/api/v1/packages/${NODE}/endpoints/chain-unreachable`;
  await bridge.call('PATCH', endpoint, { threshold: 60 });
  await untilNode(running, ({ limits }) => limits.unreachableMinutes === 60);
  await bridge.switchCategory('chain', false);
  await node.stop();
  await untilNode(running, ({ state }) => state === 'unreachable');
  bridge.clock.advance(61 * MINUTE);
  await eventually(async () => expect(await bridge.titles('muted=true')).toHaveLength(1));
  expect([await bridge.titles(), await bridge.unseenCount()]).toEqual([[], 0]);
});

test('a removed package is no longer monitored', async () => {
  const node = await FakeNode.start();
  const running = await watching(node);
  const other = { name: 'other.dnp.dappnode.eth', version: '1.0.0', chain: 'monero' };
  const rest = { type: 'service', description: 'A package.', license: 'MIT' };
  await running.bridge.call('POST', '/api/v1/packages', { manifest: { ...other, ...rest } });
  const names = async (): Promise<string[]> =>
    (await running.bridge.call<{ nodes: { dnpName: string }[] }>('GET', '/api/v1/chains')).nodes.map(
      ({ dnpName }) => dnpName
    );
  await eventually(async () => expect(await names()).toEqual([NODE, other.name]));
  await running.bridge.call('DELETE', `/api/v1/packages/${other.name}`);
  await eventually(async () => expect(await names()).toEqual([NODE]));
  expect(await nodeOf(running)).toBeDefined();
});

test.each(['a.yaml', 'z.yaml'])('the open alert of a node stays when its entries move to %s', async (other) => {
  const node = await FakeNode.start();
  const folder = await folderWith(node);
  const all = await readFile(path.join(folder.dir, 'all.yaml'), 'utf8');
  const heartbeat = 'heartbeats: [{ name: cellar, sender: nobody, interval: 5m }]';
  await folder.write({ 'all.yaml': `${all}${heartbeat}\n` });
  const running = await folder.start();
  const { bridge } = running;
  await goDown(running, node);
  const open = ['Ethereum Sepolia (geth) is unreachable', 'cellar has been silent for 5 min'];
  await eventually(async () => expect((await bridge.titles()).sort()).toEqual(open));
  await rename(path.join(folder.dir, 'all.yaml'), path.join(folder.dir, 'moved.yaml'));
  await eventually(async () => expect(await running.packages()).toEqual([`${NODE} 1.0.0 moved.yaml`]));
  // Copied first: a file cannot take what another one still has.
  await folder.write({ [other]: `${all}${heartbeat}\n` });
  await eventually(async () => expect((await running.file(other))?.state).toBe('failed'));
  await folder.write({ 'moved.yaml': 'apiVersion: 1\n' });
  await eventually(async () => expect((await running.file(other))?.state).toBe('applied'));
  expect(await running.packages()).toEqual([`${NODE} 1.0.0 ${other}`]);
  await node.start();
  const responds = 'Ethereum Sepolia (geth) responds again';
  await eventually(async () => expect((await bridge.titles()).sort()).toEqual([open[0], responds, open[1]]));
});

test('the open alert of a node stays if its file has an error at a restart', async () => {
  const node = await FakeNode.start();
  const folder = await folderWith(node);
  const all = await readFile(path.join(folder.dir, 'all.yaml'), 'utf8');
  const running = await folder.start();
  const { bridge } = running;
  await goDown(running, node);
  const unreachable = 'Ethereum Sepolia (geth) is unreachable';
  await eventually(async () => expect(await bridge.titles()).toEqual([unreachable]));
  await folder.write({ 'all.yaml': `${all}unknown: 1\n` });
  await eventually(async () => expect((await running.file('all.yaml'))?.state).toBe('failed'));
  await bridge.restart();
  await untilNode(running, ({ state }) => state === 'unconfigured');
  await node.start();
  await folder.write({ 'all.yaml': all });
  await untilNode(running, ({ state }) => state === 'synced');
  await eventually(async () =>
    expect(await bridge.titles()).toEqual(['Ethereum Sepolia (geth) responds again', unreachable])
  );
});

test('an alert of an endpoint of a package that is named like that of a node is not resolved', async () => {
  const { bridge } = await watching(await FakeNode.start());
  const own = { correlationId: 'chain-peers', name: 'Peers', definition: { title: 'Peers', description: 'Few' } };
  const endpoint = { url: 'http://a', method: 'GET', conditions: ['[STATUS] == 200'], interval: '1m', group: 'node' };
  const alerts = [{ type: 'custom', 'failure-threshold': 1, 'success-threshold': 1, 'send-on-resolved': true }];
  await bridge.call('POST', '/api/v1/packages', {
    manifest: manifest('a.dnp.dappnode.eth'),
    notifications: JSON.stringify({ endpoints: [{ ...own, ...endpoint, enabled: true, alerts }] }),
  });
  const alert = { title: 'Few peers', body: '', correlationId: 'chain-peers', status: 'triggered' };
  await bridge.post({ ...alert, dnpName: 'a.dnp.dappnode.eth' });
  await bridge.post({ ...alert, dnpName: 'b.dnp.dappnode.eth' });
  await bridge.restart();
  // Package b is not registered, so its alert is resolved, after that of a would have been.
  const open = 'latest=true&status=triggered';
  await eventually(async () => expect(await bridge.list(open)).toHaveLength(1));
  expect(await bridge.list(open)).toMatchObject([{ dnpName: 'a.dnp.dappnode.eth' }]);
});

test('the thresholds of a node without an address are pending', async () => {
  const folder = await folderWith(await FakeNode.start());
  await folder.write({ 'all.yaml': 'apiVersion: 1\npackages: [{ manifest: geth.json }]\n' });
  const running = await folder.start();
  await untilNode(running, ({ state }) => state === 'unconfigured');
  const reason = expect.stringMatching(/^Names in the node network are disabled/) as string;
  const { endpoints } = await packageOf(running.bridge, NODE);
  expect(endpoints.map(({ effects }) => effects)).toEqual(
    endpoints.map(() => [{ monitor: 'bridge', state: 'pending', reason }])
  );
});
