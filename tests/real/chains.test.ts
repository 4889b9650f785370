/**
 * Real nodes, polled by a bridge: in sync, syncing, warming up, without peers, wrong password, restricted, stopped. State and
 * figures are checked in the API, in the metrics and on the page. Warming up ends before a bridge polls again, so there the
 * request of the bridge is repeated in a loop.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createQuery } from '../../backend-bridge/src/monitoring/chains/request.ts';
import { queryNode } from '../../backend-bridge/src/monitoring/chains/drivers/index.ts';
import type { Reading } from '../../backend-bridge/src/monitoring/chains/drivers/reading.ts';
import { readAddressRules } from '../../backend-bridge/src/platform/http/addresses.ts';
import { createOutbound } from '../../backend-bridge/src/platform/http/outbound.ts';
import { bridgeFor, metricOf, nodeOf, untilNode } from './support/chainBridge.ts';
import {
  bitcoinCall,
  emptyFolder,
  ethereumCall,
  litecoinArgs,
  mineMonero,
  RPC_PASSWORD,
  RPC_USER,
  startAnvil,
  startExecutionClient,
  startLitecoin,
  startMonero,
} from './support/chainNodes.ts';
import { ADMIN_TOKEN, type TestBridge } from '../integration/support.ts';
import { freeAddress } from './support/child.ts';
import { PluginPage } from './support/pluginPage.ts';
import { findNodes } from './support/programs.ts';
import { until } from './support/until.ts';

/** The Chains page, and a wait until the row of a node contains these texts. */
async function pageOf(bridge: TestBridge) {
  const page = await PluginPage.open({ url: bridge.url, token: ADMIN_TOKEN }, 'Chains');
  onTestFinished(() => page.close());
  return { page, shown: (name: string, ...texts: string[]) => rowWith(page, name, ...texts) };
}

const rowWith = (page: PluginPage, name: string, ...texts: string[]): Promise<void> =>
  texts.reduce((row, hasText) => row.filter({ hasText }), page.row(`${name} `)).waitFor();

/** Stops a node: the metrics and the page report it. */
async function stopNode(
  bridge: TestBridge,
  name: string,
  node: { stop(): Promise<unknown> },
  page: PluginPage,
  block: number
) {
  await node.stop();
  await untilNode(bridge, name, ({ state, cause }) => state === 'unreachable' && cause === 'refused');
  expect(await metricOf(bridge, 'up', name)).toBe(0);
  await rowWith(page, name, 'Unreachable', 'Connection refused', `Last seen at block ${block}`);
  expect(page.errors).toEqual([]);
}

test("litecoind, with Bitcoin's RPC: in sync, without peers, behind, catching up, wrong password, stopped", async () => {
  const [full, behind] = [await startLitecoin(await emptyFolder()), await startLitecoin(await emptyFolder())];
  const bridge = await bridgeFor({
    full: {
      chain: 'bitcoin',
      url: full.url,
      compose: `services: { full: { environment: { BTC_RPCUSER: ${RPC_USER}, BTC_RPCPASSWORD: ${RPC_PASSWORD} } } }`,
    },
    behind: { chain: 'bitcoin', url: behind.url, password: RPC_PASSWORD },
    locked: { chain: 'bitcoin', url: full.url, password: 'wrong' },
    open: { chain: 'bitcoin', url: full.url },
  });
  const { page, shown } = await pageOf(bridge);
  expect(await untilNode(bridge, 'behind', ({ state }) => state === 'starting')).toMatchObject({
    cause: 'no-peers',
    current: 0,
    peers: 0,
  });
  await bitcoinCall(full.url, 'generatetodescriptor', 120, 'raw(51)');
  expect(await untilNode(bridge, 'full', ({ current }) => current === 120)).toMatchObject({
    state: 'synced',
    title: 'Litecoin regtest',
    network: 'regtest',
    target: 120,
    behind: 0,
    ratio: 1,
    version: expect.stringMatching(/^LitecoinCore:/) as string,
  });
  expect(await metricOf(bridge, 'blocks_current', 'full')).toBe(120);
  await shown('full', 'Synced', 'Litecoin regtest', '120');

  for (let height = 1; height <= 120; height += 1) {
    const hash = await bitcoinCall<string>(full.url, 'getblockhash', height);
    await bitcoinCall(behind.url, 'submitheader', await bitcoinCall<string>(full.url, 'getblockheader', hash, false));
  }
  expect(await untilNode(bridge, 'behind', ({ target }) => target === 120)).toMatchObject({
    state: 'syncing',
    current: 0,
    behind: 120,
    ratio: 0,
  });
  expect(await metricOf(bridge, 'blocks_behind', 'behind')).toBe(120);
  await shown('behind', 'Syncing', '0 / 120', '0 %');
  await bitcoinCall(behind.url, 'addnode', full.p2p, 'add');
  expect(await untilNode(bridge, 'behind', ({ state }) => state === 'synced')).toMatchObject({
    current: 120,
    behind: 0,
  });
  await untilNode(bridge, 'behind', ({ peers }) => peers === 1);
  await shown('behind', 'Synced', '120');

  for (const name of ['locked', 'open']) {
    expect(await nodeOf(bridge, name)).toMatchObject({ state: 'error', cause: 'unauthorised' });
    expect(await metricOf(bridge, 'up', name)).toBe(0);
  }
  await stopNode(bridge, 'full', full, page, 120);
  expect(await metricOf(bridge, 'blocks_current', 'full')).toBeUndefined();
  await shown('locked', 'No valid response', 'rejects the configured user name and password');
  expect(page.errors).toEqual([]);
});

test('litecoind while it warms up', async () => {
  const folder = await emptyFolder();
  const first = await startLitecoin(folder);
  await bitcoinCall(first.url, 'generatetodescriptor', 400, 'raw(51)');
  await first.stop();
  const [rpc, p2p] = [await freeAddress(), await freeAddress()];
  const outbound = createOutbound({ allow: readAddressRules(['127.0.0.1']), timeoutMs: 5000, maxBytes: 1024 * 1024 });
  const credentials = { username: RPC_USER, password: RPC_PASSWORD };
  const query = createQuery(
    outbound,
    { url: `http://${rpc}/`, origin: 'provisioned', credentials },
    new AbortController().signal
  );
  const child = spawn(findNodes().litecoind, [...litecoinArgs(folder, rpc, p2p), '-checkblocks=0', '-checklevel=4'], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const log = { error: (fields: object) => expect.unreachable(JSON.stringify(fields)) };
  const readings: Reading[] = [];
  await until('it is ready', async () => {
    for (;;) {
      const reading = await queryNode('bitcoin', { query, identity: true, rpc: {} }, {}, log);
      readings.push(reading);
      if (reading.kind === 'figures') {
        return reading;
      }
    }
  });
  expect(readings).toContainEqual(
    expect.objectContaining({
      kind: 'starting',
      cause: 'warming-up',
      sentence: expect.stringMatching(/^The node is starting: /) as string,
    })
  );
  const causes = readings.map((reading) => ('cause' in reading ? reading.cause : reading.kind));
  expect(
    [...new Set(causes)].filter((cause) => !['refused', 'warming-up', 'reset', 'figures'].includes(cause))
  ).toEqual([]);
});

// Mining uses the CPU, and syncing is slowed down to be observable.
test('monerod: in sync, syncing, restricted, stopped', async () => {
  const folder = path.join(await emptyFolder(), 'chain');
  const miner = await startMonero({ folder, offline: true });
  await mineMonero(miner.url, 60);
  const mined = await bridgeFor({ miner: { chain: 'monero', url: miner.url } });
  expect(await untilNode(mined, 'miner', ({ current }) => current === 61)).toMatchObject({
    state: 'synced',
    title: 'Monero fakechain',
    behind: 0,
    version: expect.stringMatching(/^0\.\d+\./) as string,
  });
  const { page, shown } = await pageOf(mined);
  expect(await metricOf(mined, 'blocks_current', 'miner')).toBe(61);
  await shown('miner', 'Synced', 'Monero fakechain', '61');
  await stopNode(mined, 'miner', miner, page, 61);
  await page.close();

  const full = await startMonero({ folder });
  const behind = await startMonero({ folder: await emptyFolder(), peer: full.p2p });
  const bridge = await bridgeFor({
    behind: { chain: 'monero', url: behind.url },
    restricted: { chain: 'monero', url: behind.restricted },
  });
  const syncing = await untilNode(bridge, 'behind', ({ state }) => state === 'syncing');
  expect(syncing).toMatchObject({ target: 61, peers: 1 });
  expect(syncing.current).toBeLessThan(61);
  expect(await metricOf(bridge, 'blocks_target', 'behind')).toBe(61);
  const further = await untilNode(bridge, 'behind', ({ current = 0 }) => current > (syncing.current ?? 0));
  expect(further.ratio).toBeGreaterThan(syncing.ratio ?? 1);
  const synced = await untilNode(bridge, 'behind', ({ current }) => current === 61);
  expect(synced).toMatchObject({ state: 'synced', behind: 0 });
  const restricted = await untilNode(bridge, 'restricted', ({ current }) => current === 61);
  expect(restricted).toMatchObject({ state: 'synced' });
  expect(restricted).not.toHaveProperty('peers');
  expect(restricted).not.toHaveProperty('version');
});

test('anvil: in sync, more blocks, stopped', async () => {
  const anvil = await startAnvil();
  const bridge = await bridgeFor({ anvil: { chain: 'ethereum', url: anvil.url } });
  expect(await untilNode(bridge, 'anvil', ({ state }) => state === 'synced')).toMatchObject({
    title: 'Ethereum development',
    current: 0,
    version: expect.stringMatching(/^anvil/) as string,
  });
  await ethereumCall(anvil.url, 'anvil_mine', '0x64');
  const mined = await untilNode(bridge, 'anvil', ({ current }) => current === 100);
  expect(mined).toMatchObject({ state: 'synced', target: 100 });
  expect(mined).not.toHaveProperty('peers');
  const { page, shown } = await pageOf(bridge);
  expect(await metricOf(bridge, 'blocks_current', 'anvil')).toBe(100);
  await shown('anvil', 'Synced', 'Ethereum development', '100');
  await stopNode(bridge, 'anvil', anvil, page, 100);
});

test('an Ethereum execution client: its error is not reported as syncing, syncing is', async () => {
  const client = await startExecutionClient();
  const bridge = await bridgeFor({ client: { chain: 'ethereum', url: client.url } });
  expect(await untilNode(bridge, 'client', ({ state }) => state === 'error')).toMatchObject({
    cause: 'rpc-error',
    sentence: expect.stringContaining('no peer available') as string,
  });
  await announceHead(client.engine, 16_000_000);
  expect(await untilNode(bridge, 'client', ({ state }) => state === 'syncing')).toMatchObject({
    title: 'Ethereum',
    current: 0,
    target: 16_000_000,
    ratio: 0,
    peers: 0,
    secondsLeft: null,
  });
  const { page, shown } = await pageOf(bridge);
  expect(await metricOf(bridge, 'blocks_behind', 'client')).toBe(16_000_000);
  await shown('client', 'Syncing', '0 / 16,000,000', '0 %');
  await stopNode(bridge, 'client', client, page, 0);
});

/** Acts as a consensus client: announces a block far ahead, which the client then has to reach. */
async function announceHead(engine: string, block: number): Promise<void> {
  const hash = (digits: string): string => `0x${digits.repeat(32)}`;
  const payload = {
    parentHash: hash('11'),
    feeRecipient: `0x${'00'.repeat(20)}`,
    stateRoot: hash('22'),
    receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    logsBloom: `0x${'00'.repeat(256)}`,
    prevRandao: hash('00'),
    blockNumber: `0x${block.toString(16)}`,
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: '0x64000000',
    extraData: '0x',
    baseFeePerGas: '0x7',
    blockHash: hash('33'),
    transactions: [],
  };
  // It rejects a wrong hash, and responds with the right one.
  const refused = await ethereumCall(engine, 'engine_newPayloadV1', payload);
  const right = /received: (0x[0-9a-f]{64})/.exec(JSON.stringify(refused))?.[1];
  await ethereumCall(engine, 'engine_newPayloadV1', { ...payload, blockHash: right });
  const zero = hash('00');
  await ethereumCall(engine, 'engine_forkchoiceUpdatedV1', {
    headBlockHash: right,
    safeBlockHash: zero,
    finalizedBlockHash: zero,
  });
}
