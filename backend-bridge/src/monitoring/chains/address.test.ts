import { expect, it } from 'vitest';
import type { PackageChain } from '../../../contract/package.ts';
import { addressOf, type AddressParts, rpcEnvironment, rulesFor } from './address.ts';

const CHAIN: PackageChain = { driver: 'ethereum', supported: true };
const of = (parts: Partial<AddressParts>) =>
  addressOf({
    dnpName: 'geth.dnp.dappnode.eth',
    chain: CHAIN,
    port: 8545,
    domain: 'dappnode',
    override: undefined,
    environment: {},
    ...parts,
  });

it.each<[string, Partial<PackageChain>, string]>([
  ['geth.dnp.dappnode.eth', {}, 'http://geth.dappnode:8545/'],
  ['Geth.dnp.dappnode.eth', {}, 'http://geth.dappnode:8545/'],
  ['zcash.public.dappnode.eth', {}, 'http://zcash.public.dappnode:8545/'],
  ['lodestar.dnp.dappnode.eth', { service: 'beacon-chain', port: 3500 }, 'http://beacon-chain.lodestar.dappnode:3500/'],
  [
    'arbitrum-nitro.public.dappnode.eth',
    { service: 'arbitrum-nitro.public.dappnode.eth', port: 8547 },
    'http://arbitrum-nitro.public.dappnode:8547/',
  ],
])('%s with %j is at %s', (dnpName, chain, url) => {
  expect(of({ dnpName, chain: { ...CHAIN, ...chain } })).toEqual({ url, origin: 'package', credentials: undefined });
});

it.each<[string, Partial<AddressParts>]>([
  ['another registry', { dnpName: 'geth.example.eth' }],
  ['no network', { domain: undefined }],
  ['a name with a path', { dnpName: 'evil/x.dnp.dappnode.eth' }],
  ['a name with a user', { dnpName: 'me@evil.dnp.dappnode.eth' }],
  ['a name with a port', { dnpName: 'evil:80.dnp.dappnode.eth' }],
  ['a service with a path', { chain: { ...CHAIN, service: 'evil.example/' } }],
  ['a service with a question mark', { chain: { ...CHAIN, service: 'evil.example?' } }],
  ['a service with a line break', { chain: { ...CHAIN, service: 'a\nb' } }],
  ['a port of 0', { chain: { ...CHAIN, port: 0 } }],
  ['a port of 70000', { chain: { ...CHAIN, port: 70_000 } }],
  ['a port of 1.5', { chain: { ...CHAIN, port: 1.5 } }],
  ['a long name', { dnpName: `${'a.'.repeat(130)}dnp.dappnode.eth` }],
])('no address: %s', (_what, parts) => {
  expect(of(parts)).toEqual({ unconfigured: expect.any(String) as string });
});

it('a manifest can only choose hosts of its own package', () => {
  const found = of({ chain: { ...CHAIN, service: 'dappmanager.dappnode' } });
  expect(found).toMatchObject({ url: 'http://dappmanager.dappnode.geth.dappnode:8545/' });
});

it("the operator's address takes precedence, and credentials are not mixed with the package's", () => {
  const environment = { username: 'package', password: 'p', port: 9 };
  expect(of({ environment })).toEqual({
    url: 'http://geth.dappnode:9/',
    origin: 'package',
    credentials: { username: 'package', password: 'p' },
  });
  expect(of({ environment, override: { url: 'http://10.0.0.2:1' } })).toEqual({
    url: 'http://10.0.0.2:1/',
    origin: 'provisioned',
    credentials: { username: 'package', password: 'p' },
  });
  const override = { username: 'me', password: 'mine' };
  expect(of({ environment, override })).toMatchObject({ credentials: override });
  expect(of({ environment, override: { username: 'me' } })).toMatchObject({ credentials: undefined });
});

it('the address rules allow one host, or the names of the node network', () => {
  const at = (url: string) => rulesFor({ url, origin: 'provisioned' }, 'dappnode');
  expect(at('http://10.0.0.2:8545/')).toEqual(['10.0.0.2']);
  expect(at('http://[::1]:8545/')).toEqual(['::1']);
  expect(at('http://node.lan:8545/')).toEqual(['node.lan']);
  expect(at('http://localhost:8545/')).toEqual(['127.0.0.0/8', '::1']);
  expect(rulesFor({ url: 'http://geth.dappnode:1/', origin: 'package' }, 'dappnode')).toEqual(['.dappnode']);
});

it.each([
  [
    'services:\n  b:\n    environment:\n      - BTC_RPCUSER=me\n      - BTC_RPCPASSWORD=a=b\n      - BTC_RPCPORT=8333\n',
  ],
  ['services: { b: { environment: { ZCASH_RPCUSER: me, ZCASH_RPCPASSWORD: "a=b", ZCASH_RPCPORT: 8333 } } }'],
])('reads the RPC settings of Bitcoin and its forks from %j', (compose) => {
  expect(rpcEnvironment(compose)).toEqual({ username: 'me', password: 'a=b', port: 8333 });
});

it.each([
  [undefined],
  ['not yaml: ['],
  ['services: { b: { environment: { BTC_RPCUSER: "${USER}", BTC_RPCPASSWORD: "", BTC_RPCPORT: high } } }'],
  ['services: { b: { environment: text } }'],
  ['services: [1, 2]'],
])('reads no RPC settings from %j', (compose) => {
  expect(rpcEnvironment(compose)).toEqual({});
});
