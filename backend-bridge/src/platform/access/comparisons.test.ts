/** Secrets are compared by timingSafeEqual, and tokens by their hashes only: how long it takes says nothing about them. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { checkSignature } from './signature.ts';
import { openAdminToken } from './adminToken.ts';
import { hashToken } from './token.ts';

let compared: MockInstance<typeof crypto.timingSafeEqual>;
// Named imports follow, also those of modules that are loaded already.
beforeEach(() => {
  compared = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const SECRET = 'the-secret';
const hexOf = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex');
const pairs = (): string[][] => compared.mock.calls.map((pair) => pair.map(hexOf));

test.each(['', 'x', SECRET.slice(0, -1), `${SECRET}x`, 'X'.repeat(1000), SECRET])('the admin token and %s', (given) => {
  const options = { dataDir: '/none', configured: SECRET, configuredPrevious: 'the-last', now: () => 0 };
  expect(openAdminToken(options).matches(given, undefined)).toBe(given === SECRET);
  // With both of them, whichever it is.
  expect(pairs()).toEqual(['the-secret', 'the-last'].map((token) => [hashToken(token), hashToken(given)]));
});

test.each(['0', 'f'])('a signature that differs in its last or first digit (%s)', (digit) => {
  const body = Buffer.from('{}');
  const right = crypto.createHmac('sha256', SECRET).update(body).digest('hex');
  const other = right.startsWith(digit) ? '5' : digit;
  for (const signature of [
    `${other}${right.slice(1)}`,
    `${right.slice(0, -1)}${right.endsWith(digit) ? '5' : digit}`,
  ]) {
    expect(checkSignature({ body, signature, timestamp: undefined }, SECRET, 0)).toBe('wrong');
    expect(pairs().at(-1)).toEqual([right, signature]);
  }
});
