import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAddressRules, rulesForHost, rulesForSetting, whyRefused } from './addresses.ts';

const none = readAddressRules([]);

describe('without rules only the public internet is allowed', () => {
  test.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(whyRefused('example.org', address, none)).toBeUndefined();
  });

  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback, not the first', '127.9.9.9'],
    ['loopback, IPv6', '::1'],
    ['IPv4 in IPv6', '::ffff:127.0.0.1'],
    ['IPv4 in IPv6, hexadecimal', '::ffff:7f00:1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-compatible, hexadecimal', '::7f00:1'],
    ['private', '10.0.0.1'],
    ['private', '172.33.1.5'.replace('33', '16')],
    ['private', '192.168.1.1'],
    ['unique local', 'fd12::1'],
    ['link-local', '169.254.1.1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['metadata', '169.254.169.254'],
    ['metadata, IPv6', 'fd00:ec2::254'],
    ['metadata in the carrier range', '100.100.100.200'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['unspecified', '::'],
    ['broadcast', '255.255.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast, IPv6', 'ff02::1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64, local', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['documentation', '192.0.2.1'],
    ['benchmarks', '198.18.0.1'],
    ['reserved', '240.0.0.1'],
    ['not given out', '4000::1'],
    ['no address', 'localhost'],
    ['no address', ''],
  ])('%s: %s is refused', (_kind, address) => {
    expect(whyRefused('example.org', address, none)).toBeTypeOf('string');
  });
});

describe('rules of the operator', () => {
  test('a suffix allows private addresses of the hosts below it, and nothing else', () => {
    const rules = readAddressRules(['.dappnode']);
    expect(whyRefused('geth.dappnode', '172.16.0.5', rules)).toBeUndefined();
    expect(whyRefused('GETH.dappnode.', '10.0.0.5', rules)).toBeUndefined();
    expect(whyRefused('geth.dappnode', '127.0.0.1', rules)).toContain('loopback');
    expect(whyRefused('geth.dappnode', '169.254.169.254', rules)).toContain('credentials');
    expect(whyRefused('geth.dappnode', '100.100.100.200', rules)).toContain('credentials');
    expect(whyRefused('evildappnode', '172.16.0.5', rules)).toContain('private');
    expect(whyRefused('geth.dappnode.example.org', '172.16.0.5', rules)).toContain('private');
  });

  test('a network allows its addresses, for any host', () => {
    const rules = readAddressRules(['172.33.0.0/16', '127.0.0.1', '192.168.0.0/24', 'fd12::/16']);
    expect(whyRefused('anything', '192.168.0.9', rules)).toBeUndefined();
    expect(whyRefused('anything', '192.168.1.9', rules)).toContain('private');
    expect(whyRefused('127.0.0.1', '127.0.0.1', rules)).toBeUndefined();
    expect(whyRefused('anything', '::ffff:127.0.0.1', rules)).toBeUndefined();
    expect(whyRefused('anything', '127.0.0.2', rules)).toContain('loopback');
    expect(whyRefused('anything', 'fd12::5', rules)).toBeUndefined();
  });

  test('no network allows a metadata address', () => {
    const rules = readAddressRules(['0.0.0.0/0', '::/0', '169.254.169.254']);
    expect(whyRefused('anything', '169.254.169.254', rules)).toContain('credentials');
    expect(whyRefused('anything', '::ffff:169.254.169.254', rules)).toContain('credentials');
    expect(whyRefused('anything', 'fd00:ec2::254', rules)).toContain('credentials');
  });

  test.each(['', '*', '.', 'a b', 'http://x', '300.1.1.1', '10.0.0.0/64', 'a/24', '-x'])('%j is no rule', (text) => {
    expect(() => readAddressRules([text])).toThrow('is no rule');
  });
});

test.each([
  ['http://ntfy.lan/topic', ['ntfy.lan']],
  ['http://ntfy.monitoring.svc.cluster.local./', ['ntfy.monitoring.svc.cluster.local']],
  ['http://localhost:8080', ['127.0.0.0/8', '::1']],
  ['http://[fd12::1]/', ['fd12::1']],
  ['http://192.168.1.4./', ['192.168.1.4']],
  ['http://host-/', []],
  ['http://a~b/', []],
  ['http://.lan/', []],
])('the rules of the setting %s', (url, rules) => {
  expect(rulesForSetting(url)).toEqual(rules);
  expect(() => readAddressRules(rules)).not.toThrow();
});

test('every host that is accepted gives valid rules', () => {
  fc.assert(fc.property(fc.string(), (host) => void readAddressRules(rulesForHost(host))));
});
