import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('the public address: without a slash at the end, and its host is allowed', () => {
  const { publicUrl, allowedHosts } = readConfig({ NODEBELL_PUBLIC_URL: 'https://bell.example.org/bridge/' });
  expect({ publicUrl, allowedHosts }).toEqual({
    publicUrl: 'https://bell.example.org/bridge',
    allowedHosts: ['bell.example.org'],
  });
});

test.each([
  'bell.example.org',
  'ftp://bell.example.org',
  'https://a:b@bell.example.org',
  'https://bell.example.org/?a=1',
])('a public address such as %s is rejected', (url) => {
  expect(() => readConfig({ NODEBELL_PUBLIC_URL: url })).toThrow(
    /NODEBELL_PUBLIC_URL: found (?:".*"|a user name), allowed is an http/
  );
});
