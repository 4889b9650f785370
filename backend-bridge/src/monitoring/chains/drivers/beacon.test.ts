import { expect, it } from 'vitest';
import { asReading, NodeProblem, type Reading } from './reading.ts';
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

it('reports unverified blocks and an offline execution client', () => {
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
])('%.80j is %j', (syncing, reported) => {
  expect(read(syncing)).toMatchObject(reported);
});

it('queries version and network only on demand, and accepts missing responses', async () => {
  const requests: string[] = [];
  const query = (path: string): Promise<unknown> => {
    requests.push(path);
    return path === 'eth/v1/node/syncing'
      ? Promise.resolve({ data: SYNCING })
      : Promise.reject(new NodeProblem({ kind: 'failed', state: 'error', cause: 'http-status', sentence: 'no' }));
  };
  const responses = await beacon.fetch({ query, identity: false, rpc: {} });
  expect(requests).toEqual(['eth/v1/node/syncing', 'eth/v1/node/peer_count']);
  expect(readBeacon(responses)).toEqual({ kind: 'figures', current: 8_000_000, target: 8_000_001, identity: {} });
  await beacon.fetch({ query, identity: true, rpc: {} });
  expect(requests.slice(2)).toHaveLength(4);
});
