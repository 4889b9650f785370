import { expect, it } from 'vitest';
import { asReading, NodeProblem, type Reading } from '../reading.ts';
import { beacon, readBeacon } from './beacon.ts';

const SYNCING = {
  head_slot: '8000000',
  sync_distance: '1',
  is_syncing: false,
  is_optimistic: false,
  el_offline: false,
};

const read = (syncing: unknown, rest: Record<string, unknown> = {}): Reading =>
  asReading(() => readBeacon({ syncing: { data: syncing }, ...rest }));

it('reads slot, distance, peers, network and version', () => {
  expect(
    read(SYNCING, {
      peers: { data: { disconnected: '12', connecting: '0', connected: '34', disconnecting: '0' } },
      version: { data: { version: 'Lodestar/v1.35.0/linux' } },
      deposit: { data: { chain_id: '100', address: '0x0' } },
    })
  ).toEqual({
    kind: 'figures',
    current: 8_000_000,
    target: 8_000_001,
    peers: 34,
    identity: { network: '100', title: 'Gnosis beacon chain', blockSeconds: 5, version: 'Lodestar/v1.35.0/linux' },
  });
});

it('tells when blocks are not verified, and when the execution client is gone', () => {
  expect(read({ ...SYNCING, is_optimistic: true })).toMatchObject({ unfinished: 'unverified' });
  expect(read({ ...SYNCING, el_offline: true })).toMatchObject({ state: 'error', cause: 'execution-offline' });
});

it.each([
  [
    { ...SYNCING, head_slot: 5 },
    { kind: 'figures', current: 5 },
  ],
  [{ ...SYNCING, head_slot: '9007199254740993' }, { cause: 'number' }],
  [{ ...SYNCING, head_slot: '9'.repeat(100_000) }, { cause: 'number' }],
  [{ ...SYNCING, head_slot: String(Number.MAX_SAFE_INTEGER), sync_distance: '1' }, { cause: 'number' }],
  [{ ...SYNCING, sync_distance: '-1' }, { cause: 'not-understood' }],
  [{ ...SYNCING, head_slot: undefined }, { cause: 'not-understood' }],
  [undefined, { cause: 'not-understood' }],
])('%.80j is %j', (syncing, told) => {
  expect(read(syncing)).toMatchObject(told);
});

it('asks for the rest only now and then, and does without what the node does not know', async () => {
  const asked: string[] = [];
  const ask = (path: string): Promise<unknown> => {
    asked.push(path);
    return path === 'eth/v1/node/syncing'
      ? Promise.resolve({ data: SYNCING })
      : Promise.reject(new NodeProblem({ kind: 'failed', state: 'error', cause: 'http-status', sentence: 'no' }));
  };
  const answers = await beacon.fetch({ ask, identity: false, memory: {} });
  expect(asked).toEqual(['eth/v1/node/syncing', 'eth/v1/node/peer_count']);
  expect(readBeacon(answers)).toEqual({ kind: 'figures', current: 8_000_000, target: 8_000_001, identity: {} });
  await beacon.fetch({ ask, identity: true, memory: {} });
  expect(asked.slice(2)).toHaveLength(4);
});
