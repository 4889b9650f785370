import { type CryptoKey, exportJWK, generateKeyPair, type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGrafanaIdCheck } from './grafanaId.ts';

const NOW = Date.UTC(2026, 10, 21, 10);
const SECONDS = NOW / 1000;

let grafana: { private: CryptoKey; set: JSONWebKeySet };
let other: { private: CryptoKey; set: JSONWebKeySet };

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { private: privateKey, set: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] } };
}

beforeAll(async () => {
  grafana = await newKey('one');
  other = await newKey('two');
});

/** As Grafana signs it. */
function sign(claims: JWTPayload = {}, { key = grafana.private, kid = 'one', alg = 'ES256' } = {}): Promise<string> {
  const payload = { iss: 'http://grafana/', aud: 'org:1', sub: 'user:7', exp: SECONDS + 600, iat: SECONDS, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'jwt' }).sign(key);
}

let now: number;
let served: JSONWebKeySet | Error;
let asked: number;
const warnings: string[] = [];

function start() {
  return createGrafanaIdCheck({
    fetchKeys: () => {
      asked += 1;
      return served instanceof Error ? Promise.reject(served) : Promise.resolve(served);
    },
    now: () => now,
    log: { warn: (_fields, message) => void warnings.push(message) },
  });
}

beforeEach(() => {
  now = NOW;
  served = grafana.set;
  asked = 0;
  warnings.length = 0;
});

test("what Grafana has signed tells its subject, and Grafana's keys are asked for once", async () => {
  const check = start();
  expect(await check(await sign(), 1)).toBe('user:7');
  expect(await check(await sign({ sub: 'service-account:3' }), 1)).toBe('service-account:3');
  expect(await check(await sign({ aud: ['org:2', 'org:1'] }), 1)).toBe('user:7');
  expect(asked).toBe(1);
});

describe('refused', () => {
  test.each<[string, () => Promise<string> | string, RegExp]>([
    ['expired', () => sign({ exp: SECONDS - 31 }), /has expired/],
    ['of the time to come', () => sign({ nbf: SECONDS + 31 }), /not valid yet/],
    ['for another organisation', () => sign({ aud: 'org:2' }), /not for this organisation/],
    ['for nobody', () => sign({ aud: undefined }), /not for this organisation/],
    ['without an end', () => sign({ exp: undefined }), /not for this organisation \(claim exp\)/],
    ['without a subject', () => sign({ sub: undefined }), /claim sub/],
    ["signed with another key under the name of Grafana's", () => sign({}, { key: other.private }), /wrong signature/],
    [
      'signed with a key that Grafana does not have',
      () => sign({}, { key: other.private, kid: 'two' }),
      /not signed with/,
    ],
    ['changed', async () => `${(await sign()).split('.')[0]}.${btoa('{"sub":"user:1"}')}.x`, /is not one/],
    ['unsigned', () => `${btoa('{"alg":"none"}')}.${btoa('{"sub":"user:7"}')}.`, /is not one/],
    ['no token at all', () => 'x', /is not one/],
    ['empty', () => '', /is not one/],
  ])('%s', async (_what, token, why) => {
    const written = await token();
    const refusal = (await start()(written, 1).then(String, (error: unknown) => error)) as Error;
    expect(refusal.message).toMatch(why);
    expect(written === '' || !refusal.message.includes(written)).toBe(true);
    expect(refusal.message).toMatch(/^The identity in X-Grafana-Id /);
  });

  test('a signature with the public key as a shared secret (RFC 8725, 2.1)', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(grafana.set.keys[0]));
    const forged = await new SignJWT({ sub: 'user:1', aud: 'org:1', exp: SECONDS + 600 })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(secret);
    await expect(start()(forged, 1)).rejects.toThrow('is not one that Grafana signs');
  });
});

test('another kind of signature, though by a key of Grafana', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  served = { keys: [{ ...(await exportJWK(publicKey)), kid: 'rsa' }] };
  const token = await sign({}, { key: privateKey, kid: 'rsa', alg: 'RS256' });
  await expect(start()(token, 1)).rejects.toThrow('is not one that Grafana signs');
});

test('clocks may differ by half a minute', async () => {
  const check = start();
  expect(await check(await sign({ exp: SECONDS - 29 }), 1)).toBe('user:7');
  expect(await check(await sign({ nbf: SECONDS + 29 }), 1)).toBe('user:7');
});

describe('keys', () => {
  test('a new one is asked for, but not at each name that somebody invents', async () => {
    const check = start();
    await check(await sign(), 1);
    served = { keys: [...grafana.set.keys, ...other.set.keys] };
    const rolled = await sign({}, { key: other.private, kid: 'two' });
    await expect(check(rolled, 1)).rejects.toThrow('not signed with a key');
    expect(asked).toBe(1);
    now += 15_000;
    expect(await Promise.all([check(rolled, 1), check(rolled, 1)])).toEqual(['user:7', 'user:7']);
    expect(asked).toBe(2);
  });

  test('one that was withdrawn is known to be within the hour', async () => {
    const check = start();
    const token = await sign({ exp: SECONDS + 7200 });
    await check(token, 1);
    served = other.set;
    expect(await check(token, 1)).toBe('user:7');
    now += 3_600_000;
    await expect(check(token, 1)).rejects.toThrow('not signed with a key');
  });

  test('those that were read go on when Grafana cannot be asked again', async () => {
    const check = start();
    await check(await sign(), 1);
    served = new Error('down');
    now += 3_600_000;
    expect(await check(await sign({ exp: SECONDS + 7200 }), 1)).toBe('user:7');
    expect(await check(await sign({}, { key: other.private, kid: 'two' }), 1)).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });

  test('Grafana that was never reached says nothing, and is tried again', async () => {
    served = new Error('down');
    const check = start();
    expect(await check(await sign(), 1)).toBeUndefined();
    expect(await check(await sign(), 1)).toBeUndefined();
    expect([asked, warnings.length]).toEqual([1, 1]);
    served = grafana.set;
    now += 15_000;
    expect(await check(await sign(), 1)).toBe('user:7');
  });
});
