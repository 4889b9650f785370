import { describe, expect, it } from 'vitest';
import { asReading, type Identity, type Reading } from './reading.ts';
import { readEthereum } from './ethereum.ts';

const ok = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result });
const refused = (code: number, message: string) => ({ jsonrpc: '2.0', id: 1, error: { code, message } });

function read(results: Record<string, unknown>, known: Identity = {}): Reading {
  const responses = { eth_syncing: ok(false), eth_blockNumber: ok('0x10'), net_peerCount: ok('0x19'), ...results };
  return asReading(() => readEthereum(responses, known));
}

describe('eth_syncing is false', () => {
  it('the target is its own block; network and version are read', () => {
    const identity = { eth_chainId: ok('0xaa36a7'), web3_clientVersion: ok('Geth/v1.17.4-stable') };
    expect(read(identity)).toEqual({
      kind: 'figures',
      current: 16,
      target: 16,
      peers: 25,
      identity: { network: '11155111', title: 'Ethereum Sepolia', blockSeconds: 12, version: 'Geth/v1.17.4-stable' },
    });
  });

  it('a node without blocks is starting', () => {
    expect(read({ eth_blockNumber: ok('0x0') })).toMatchObject({ kind: 'starting', cause: 'no-target', current: 0 });
    expect(read({ eth_blockNumber: ok('0x0'), net_peerCount: ok('0x0') })).toMatchObject({ cause: 'no-peers' });
  });

  it.each(['0x539', '0x7a69'])('a development node (%s) without blocks is in sync', (chainId) => {
    const zero = { eth_blockNumber: ok('0x0'), net_peerCount: ok('0x0') };
    expect(read({ ...zero, eth_chainId: ok(chainId) })).toMatchObject({ kind: 'figures', current: 0, target: 0 });
    expect(read(zero, { network: String(Number(chainId)) })).toMatchObject({ kind: 'figures', target: 0 });
  });

  it('peers, network and version are optional', () => {
    const unknown = refused(-32601, 'Method not found');
    expect(read({ net_peerCount: unknown, eth_chainId: unknown, web3_clientVersion: unknown })).toEqual({
      kind: 'figures',
      current: 16,
      target: 16,
      identity: {},
    });
  });
});

describe('eth_syncing is an object', () => {
  it('reads current and target', () => {
    const syncing = ok({ startingBlock: '0x0', currentBlock: '0x5', highestBlock: '0xf42400' });
    expect(read({ eth_syncing: syncing })).toMatchObject({ kind: 'figures', current: 5, target: 16_000_000 });
  });

  it('is unfinished while the state is healing', () => {
    const healing = { currentBlock: '0x5', highestBlock: '0x5', healingTrienodes: '0x3', healingBytecode: '0x0' };
    expect(read({ eth_syncing: ok(healing) })).toMatchObject({ unfinished: 'state-download' });
    const indexing = {
      currentBlock: '0x5',
      highestBlock: '0x5',
      healingTrienodes: '0x0',
      txIndexRemainingBlocks: '0x9',
    };
    expect(read({ eth_syncing: ok(indexing) })).not.toHaveProperty('unfinished');
  });

  it('is starting while the target is zero', () => {
    expect(read({ eth_syncing: ok({ currentBlock: '0x0', highestBlock: '0x0' }) })).toMatchObject({ kind: 'starting' });
  });

  it('never has a target below its own block', () => {
    expect(read({ eth_syncing: ok({ currentBlock: '0x9', highestBlock: '0x5' }) })).toMatchObject({ target: 9 });
  });

  it('may have other members than blocks', () => {
    const reading = read({ eth_syncing: ok({ msgCount: 7 }) });
    expect(reading).toMatchObject({ kind: 'figures', current: 16 });
    expect(reading).not.toHaveProperty('target');
  });
});

describe('unusable responses are errors', () => {
  const long = `0x${'0'.repeat(100_000)}10`;
  it('accepts hexadecimal numbers of any length up to 2^53 - 1', () => {
    expect(read({ eth_blockNumber: ok(long) })).toMatchObject({ current: 16 });
    expect(read({ eth_blockNumber: ok('0x1fffffffffffff') })).toMatchObject({ current: Number.MAX_SAFE_INTEGER });
  });

  it.each([
    ['0x20000000000000', 'number'],
    [`0x${'f'.repeat(1_000_000)}`, 'number'],
    ['0x', 'not-understood'],
    ['16', 'not-understood'],
    [16, 'not-understood'],
    [null, 'not-understood'],
    ['0x1g', 'not-understood'],
  ])('rejects invalid block number %#', (block, cause) => {
    expect(read({ eth_blockNumber: ok(block) })).toMatchObject({ kind: 'failed', state: 'error', cause });
    expect(read({ eth_syncing: ok({ currentBlock: block, highestBlock: '0x1' }) })).toMatchObject({ cause });
  });

  it('shows the error message of the node, shortened and without control characters', () => {
    const reading = read({ eth_syncing: refused(-32603, 'no peer\u0000 available\nfor synchronization') });
    expect(reading).toEqual({
      kind: 'failed',
      state: 'error',
      cause: 'rpc-error',
      sentence: 'The node returned an error for eth_syncing: no peer available for synchronization (-32603).',
    });
    const endless = read({ eth_syncing: refused(1, 'x'.repeat(1_000_000)) }) as { sentence: string };
    expect(endless.sentence.length).toBeLessThan(300);
  });

  it.each([ok(true), ok('0x1'), ok(null), {}, null, 'text', [], { jsonrpc: '2.0', id: 1 }])(
    'rejects %j',
    (response) => {
      expect(read({ eth_syncing: response })).toMatchObject({ kind: 'failed', cause: 'not-understood' });
    }
  );
});
