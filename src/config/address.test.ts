import { expect, it } from 'vitest';
import { isIpAddress, readAddress } from './address';

it.each([
  ['http://bridge:8080', { url: 'http://bridge:8080', host: 'bridge', port: 8080 }],
  ['  http://bridge:8080/ ', { url: 'http://bridge:8080', host: 'bridge', port: 8080 }],
  [
    'https://node.example.org/nodebell/',
    { url: 'https://node.example.org/nodebell', host: 'node.example.org', port: 443 },
  ],
  ['http://[::1]:8080', { url: 'http://[::1]:8080', host: '::1', port: 8080 }],
  ['HTTP://Bridge', { url: 'http://bridge', host: 'bridge', port: 80 }],
])('reads %s', (typed, address) => {
  expect(readAddress(typed)).toEqual(address);
});

it.each([
  ['', 'Enter a URL'],
  ['bridge:8080', 'starts with http://'],
  ['ftp://bridge', 'starts with http://'],
  ['http://', 'starts with http://'],
  ['http://admin:secret@bridge', 'in its own field'],
  ['http://bridge?token=x', '“?”'],
  ['http://bridge#x', '“#”'],
  ['http://bridge/api/v1', 'Remove /api/v1'],
])('says what is wrong with “%s”', (typed, words) => {
  const read = readAddress(typed);
  expect(read).toHaveProperty('mistake', expect.stringContaining(words));
  expect(JSON.stringify(read)).not.toContain('secret');
});

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['bridge', false],
  ['1.example.org', false],
])('knows whether %s is an address or a name', (host, is) => {
  expect(isIpAddress(host)).toBe(is);
});
