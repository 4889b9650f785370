import { describe, expect, test } from 'vitest';
import { isGoUrl } from './definition.ts';

// Observed with net/http NewRequest of Go 1.26.
describe('URLs that Go accepts', () => {
  test.each([
    'http://geth.example:8545',
    'https://user:pa%20ss@geth.example/a%20b?c=d#e',
    'http://[::1]:8545/',
    'http://my_host/é{}|^`"<>',
    'http://p/api/v1/query?query=100 % up%zz',
    'icmp://geth.example',
    'tcp://1.2.3.4:30303',
    'http://bücher.example',
  ])('%s', (url) => expect(isGoUrl(url)).toBe(true));
});

describe('URLs that browsers accept, and that Go rejects or parses without a host', () => {
  test.each([
    'http://x/%zz',
    'http://x/%',
    'http://x/#%zz',
    'http://x/a\tb',
    'http://x/\u0000',
    'http://x/\u007f',
    'http://a\\b',
    'http://a b@x/',
    'http://x%41/',
    'http:///x',
    'http:x',
  ])('%j', (url) => expect(isGoUrl(url)).toBe(false));
});
