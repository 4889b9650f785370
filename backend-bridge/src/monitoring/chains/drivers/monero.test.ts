import { expect, it } from 'vitest';
import { asReading, type Reading } from './reading.ts';
import { readMonero } from './monero.ts';

const INFO = {
  status: 'OK',
  height: 3_000_000,
  height_without_bootstrap: 3_000_000,
  target_height: 0,
  synchronized: true,
  restricted: false,
  untrusted: false,
  nettype: 'mainnet',
  version: '0.18.5.0-release',
  incoming_connections_count: 4,
  outgoing_connections_count: 12,
  free_space: 18_446_744_073_709_551_615,
};

const read = (info: unknown): Reading => asReading(() => readMonero({ get_info: info }));

it('reads height, peers, network and version, and ignores other numbers', () => {
  expect(read(INFO)).toEqual({
    kind: 'figures',
    current: 3_000_000,
    target: 3_000_000,
    peers: 16,
    identity: { network: 'mainnet', title: 'Monero', blockSeconds: 120, version: '0.18.5.0-release' },
  });
});

it('reads the same from JSON-RPC', () => {
  expect(read({ jsonrpc: '2.0', id: '0', result: INFO })).toEqual(read(INFO));
});

it('reads no peers and version in restricted mode', () => {
  const reading = read({
    ...INFO,
    restricted: true,
    version: '',
    height_without_bootstrap: 0,
    incoming_connections_count: 0,
    outgoing_connections_count: 0,
  });
  expect(reading).toEqual({
    kind: 'figures',
    current: 3_000_000,
    target: 3_000_000,
    identity: { network: 'mainnet', title: 'Monero', blockSeconds: 120 },
  });
});

it('uses the target that its peers report', () => {
  expect(read({ ...INFO, height: 81, target_height: 2001, synchronized: false })).toMatchObject({
    kind: 'figures',
    current: 81,
    target: 2001,
  });
});

it('a node without a target that reports synchronized: false is starting', () => {
  const lonely = { ...INFO, height: 1, synchronized: false };
  expect(read(lonely)).toMatchObject({ kind: 'starting', cause: 'no-target' });
  expect(read({ ...lonely, incoming_connections_count: 0, outgoing_connections_count: 0 })).toMatchObject({
    cause: 'no-peers',
  });
});

it('uses its own height while a bootstrap daemon responds', () => {
  expect(read({ ...INFO, untrusted: true, height_without_bootstrap: 500, target_height: 3_000_000 })).toMatchObject({
    current: 500,
    target: 3_000_000,
  });
});

it.each([
  [
    { ...INFO, status: 'BUSY' },
    { kind: 'starting', cause: 'warming-up' },
  ],
  [
    { ...INFO, status: 'Failed' },
    { kind: 'failed', cause: 'rpc-error' },
  ],
  [{ error: { code: -32601, message: 'x' } }, { kind: 'failed', cause: 'not-understood' }],
  [
    { ...INFO, height: 2 ** 60 },
    { kind: 'failed', cause: 'number' },
  ],
  [
    { ...INFO, target_height: undefined },
    { kind: 'failed', cause: 'not-understood' },
  ],
  [null, { kind: 'failed', cause: 'not-understood' }],
  [[], { kind: 'failed', cause: 'not-understood' }],
])('%.60j is %j', (info, reported) => {
  expect(read(info)).toMatchObject(reported);
});
