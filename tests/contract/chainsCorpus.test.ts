/**
 * The drivers' `read` functions on responses of real nodes. NODEBELL_CORPUS names a folder with `chain-answers/`; the name of
 * each file contains the node, its state and the call.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBitcoin } from '../../backend-bridge/src/monitoring/chains/drivers/bitcoin.ts';
import { readEthereum } from '../../backend-bridge/src/monitoring/chains/drivers/ethereum.ts';
import { readMonero } from '../../backend-bridge/src/monitoring/chains/drivers/monero.ts';
import { asReading, type Reading } from '../../backend-bridge/src/monitoring/chains/drivers/reading.ts';
import { newNodeState } from '../../backend-bridge/src/monitoring/chains/nodeState.ts';
import { step } from '../../backend-bridge/src/monitoring/chains/state.ts';

const CORPUS = process.env.NODEBELL_CORPUS;
const FOLDER = path.join(CORPUS ?? '', 'chain-answers');
const LIMITS = { behind: 60, stalledMinutes: 10, unreachableMinutes: 10, peers: 0 };

function answer(name: string): unknown {
  return JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as unknown;
}

/** All responses of a node, by call. */
function answersOf(node: string): Record<string, unknown> {
  const files = globSync(`${node}-*.json`, { cwd: FOLDER });
  expect(files.length, node).toBeGreaterThan(0);
  const calls = files.map((file) => file.slice(node.length + 1, -'.json'.length));
  return Object.fromEntries(calls.map((call) => [call, answer(`${node}-${call}`)]));
}

/** The state of a node after its first response, with the parsed values. */
function shown(read: () => Reading, behind = LIMITS.behind): { state: string; reading: Reading } {
  const reading = asReading(read);
  const memory = step(newNodeState(0), reading, {
    now: 0,
    ahead: 0,
    limits: { ...LIMITS, behind },
    intervalMs: 15_000,
  });
  return { state: memory.state, reading };
}

const real = (): void => {
  test.each([
    ['anvil', 'synced', { current: 2, target: 2, identity: { network: '31337', version: 'anvil/v1.7.1' } }],
    ['ganache', 'synced', { current: 0, target: 0, peers: 0, identity: { network: '1337' } }],
    ['ethereumjs-syncing', 'syncing', { current: 0, target: 16_000_000, peers: 0, identity: { title: 'Ethereum' } }],
    ['ethereumjs-mainnet-nopeers', 'error', { cause: 'rpc-error' }],
  ])('%s is %s', (node, state, reading) => {
    expect(shown(() => readEthereum(answersOf(node), {}))).toMatchObject({ state, reading });
  });

  test.each([
    ['litecoind-synced-getblockchaininfo', 'synced', { current: 431, target: 431 }],
    ['litecoind-syncing-getblockchaininfo', 'syncing', { current: 0, target: 431 }],
    ['litecoind-regtest-getblockchaininfo', 'starting', { current: 0, cause: 'no-peers' }],
    ['litecoind-warmup', 'starting', { cause: 'warming-up', sentence: 'The node is starting: Loading block index...' }],
  ])('%s is %s', (file, state, reading) => {
    const answers = { getblockchaininfo: answer(file), getnetworkinfo: answer('litecoind-regtest-getnetworkinfo') };
    expect(shown(() => readBitcoin(answers), 3)).toMatchObject({ state, reading });
  });

  test.each([
    ['monerod-regtest-get_info', 'synced', { current: 1, target: 1, peers: 0 }],
    ['monerod-regtest-jsonrpc-get_info', 'synced', { current: 1, target: 1, peers: 0 }],
    ['monerod-regtest-p2p-nopeer-get_info', 'starting', { cause: 'no-peers' }],
    ['monerod-syncing-get_info', 'syncing', { current: 81, target: 2001, peers: 1 }],
    ['monerod-syncing-restricted-get_info', 'syncing', { current: 61, target: 2001 }],
  ])('%s is %s', (file, state, reading) => {
    expect(shown(() => readMonero({ get_info: answer(file) }), 15)).toMatchObject({ state, reading });
  });

  test('hidden values in restricted mode are not reported as zero', () => {
    const { reading } = shown(() => readMonero({ get_info: answer('monerod-syncing-restricted-get_info') }));
    expect(reading).not.toHaveProperty('peers');
    expect((reading as { identity: object }).identity).not.toHaveProperty('version');
  });

  test('a response to another call, of any node, is an error, never a state', () => {
    const files = globSync('*.json', { cwd: FOLDER }).map((file) => file.slice(0, -'.json'.length));
    expect(files.length).toBeGreaterThan(40);
    for (const file of files) {
      const any = answer(file);
      // The response of sync_info has the same members.
      if (!/get_info$|sync_info$/.test(file)) {
        expect([file, asReading(() => readMonero({ get_info: any })).kind]).toEqual([file, 'failed']);
      }
      if (!/getblockchaininfo|warmup/.test(file)) {
        expect([file, asReading(() => readBitcoin({ getblockchaininfo: any })).kind]).toEqual([file, 'failed']);
      }
    }
  });
};

if (CORPUS) {
  describe('real responses', real);
} else {
  test('responses of real nodes are not tested: NODEBELL_CORPUS is not set to a folder that contains them', () => {
    process.stdout.write('Real answers of nodes were not tried: NODEBELL_CORPUS names no folder of them.\n');
    expect(CORPUS ?? '').toBe('');
  });
}
