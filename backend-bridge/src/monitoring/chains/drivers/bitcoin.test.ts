import { describe, expect, it } from 'vitest';
import { asReading, type Reading } from './reading.ts';
import { readBitcoin } from './bitcoin.ts';

const ok = (result: unknown) => ({ result, error: null, id: 0 });
const INFO = { chain: 'main', blocks: 900_000, headers: 900_000, verificationprogress: 1, initialblockdownload: false };
const NETWORK = { subversion: '/Satoshi:26.2.0/', connections: 10 };

const read = (info: unknown, network: unknown = ok(NETWORK)): Reading =>
  asReading(() => readBitcoin({ getblockchaininfo: info, getnetworkinfo: network }));

it('reads blocks, headers, peers, network and version', () => {
  expect(read(ok({ ...INFO, blocks: 899_990, time: 1_795_248_628 }))).toEqual({
    kind: 'figures',
    current: 899_990,
    target: 900_000,
    tipTime: 1_795_248_628,
    peers: 10,
    identity: { network: 'main', title: 'Bitcoin', blockSeconds: 600, version: 'Satoshi:26.2.0' },
  });
});

it.each([
  ['/LitecoinCore:0.21.2.1/', 'main', 'Litecoin', 150],
  ['/LitecoinCore:0.21.2.1/', 'regtest', 'Litecoin regtest', undefined],
  ['/MagicBean:6.12.5/', 'main', 'Zcash', 75],
  ['/Something:1/', 'main', undefined, 600],
])('knows %s on %s', (subversion, chain, title, blockSeconds) => {
  const reading = read(ok({ ...INFO, chain }), ok({ subversion, connections: 1 }));
  expect((reading as { identity: object }).identity).toMatchObject({
    network: chain,
    ...(title !== undefined && { title }),
    ...(blockSeconds !== undefined && { blockSeconds }),
  });
  expect((reading as { identity: { title?: string } }).identity.title).toBe(title);
});

it('estimates the time of the newest block from the median of eleven', () => {
  expect(read(ok({ ...INFO, mediantime: 1_000_000 }))).toMatchObject({ tipTime: 1_003_000 });
});

it('works without getnetworkinfo', () => {
  const reading = read(ok(INFO), { result: null, error: { code: -32601, message: 'Method not found' }, id: 1 });
  expect(reading).toMatchObject({ kind: 'figures', current: 900_000 });
  expect(reading).not.toHaveProperty('peers');
});

it('uses blocks and headers, not verificationprogress', () => {
  expect(read(ok({ ...INFO, blocks: 0, headers: 431, initialblockdownload: true }))).toMatchObject({
    kind: 'figures',
    current: 0,
    target: 431,
    unfinished: 'initial-download',
  });
});

it('has no target during the initial download with as many headers as blocks', () => {
  const fresh = { ...INFO, blocks: 0, headers: 0, initialblockdownload: true };
  expect(read(ok(fresh))).toMatchObject({ kind: 'starting', cause: 'no-target', current: 0 });
  expect(read(ok(fresh), ok({ ...NETWORK, connections: 0 }))).toMatchObject({ cause: 'no-peers' });
});

it('reads the members of forks', () => {
  const { headers: _headers, initialblockdownload: _initial, ...rest } = INFO;
  expect(read(ok({ ...rest, estimatedheight: 900_100, initial_block_download_complete: false }))).toMatchObject({
    target: 900_100,
    unfinished: 'initial-download',
  });
  expect(read(ok({ ...rest, estimatedheight: 899_000 }))).toMatchObject({ target: 900_000 });
});

describe('responses without a chain state', () => {
  it('a node that warms up is starting, with its own message', () => {
    const warming = { result: null, error: { code: -28, message: 'Loading block index…' }, id: 1 };
    expect(read(warming, warming)).toEqual({
      kind: 'starting',
      cause: 'warming-up',
      sentence: 'The node is starting: Loading block index…',
      identity: {},
    });
  });

  it.each([
    [{ result: null, error: { code: -1, message: 'no' }, id: 1 }, 'rpc-error'],
    [ok(null), 'not-understood'],
    [ok({ ...INFO, blocks: '5' }), 'not-understood'],
    [ok({ ...INFO, headers: null }), 'not-understood'],
    [ok({ ...INFO, headers: 2 ** 53 }), 'number'],
    [ok({ ...INFO, blocks: -1 }), 'number'],
    [ok({ ...INFO, blocks: 1.5 }), 'number'],
    [{ error: 'text' }, 'rpc-error'],
    [undefined, 'not-understood'],
  ])('%j is an error', (info, cause) => {
    expect(read(info)).toMatchObject({ kind: 'failed', state: 'error', cause });
  });
});
