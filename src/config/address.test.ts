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
])('reads %s', (input, address) => {
  expect(readAddress(input)).toEqual(address);
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
])('rejects “%s” with a specific error', (input, message) => {
  const read = readAddress(input);
  expect(read).toHaveProperty('error', expect.stringContaining(message));
  expect(JSON.stringify(read)).not.toContain('secret');
});

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['bridge', false],
  ['1.example.org', false],
])('isIpAddress(%s) is %s', (host, is) => {
  expect(isIpAddress(host)).toBe(is);
});
