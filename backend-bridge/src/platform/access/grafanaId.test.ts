import type { Response } from 'express';
import { type CryptoKey, exportJWK, generateKeyPair, type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGrafanaIdCheck } from './grafanaId.ts';
import { startServer } from '../http/httpServer.testing.ts';

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

/** Signs like Grafana. */
function sign(claims: JWTPayload = {}, { key = grafana.private, kid = 'one', alg = 'ES256' } = {}): Promise<string> {
  const payload = { iss: 'http://grafana/', aud: 'org:1', sub: 'user:7', exp: SECONDS + 600, iat: SECONDS, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'jwt' }).sign(key);
}

let respond: (res: Response) => void;
const serve = (keys: JSONWebKeySet): void => void (respond = (res) => void res.json(keys));
const fail = (): void => void (respond = (res) => void res.status(503).end());
let requests: number;
let grafanaUrl: string;
const warnings: string[] = [];

const start = () =>
  createGrafanaIdCheck({
    grafanaUrl,
    now: () => Date.now(),
    log: { warn: ({ err }: { err?: Error }) => void warnings.push(err?.message ?? '') },
  });
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  serve(grafana.set);
  requests = 0;
  warnings.length = 0;
  const { url } = await startServer((app) => {
    app.get('/grafana/api/signing-keys/keys', (_req, res) => {
      requests += 1;
      respond(res);
    });
  });
  grafanaUrl = `${url}/grafana`;
});
afterEach(() => void vi.useRealTimers());

test('returns the subject that Grafana has signed, and requests the keys once', async () => {
  const check = start();
  expect(await check(await sign(), 1)).toBe('user:7');
  expect(await check(await sign({ sub: 'service-account:3' }), 1)).toBe('service-account:3');
  expect(await check(await sign({ aud: ['org:2', 'org:1'] }), 1)).toBe('user:7');
  expect(requests).toBe(1);
});

describe('rejects', () => {
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
  serve({ keys: [{ ...(await exportJWK(publicKey)), kid: 'rsa' }] });
  const token = await sign({}, { key: privateKey, kid: 'rsa', alg: 'RS256' });
  await expect(start()(token, 1)).rejects.toThrow('is not one that Grafana signs');
});

test('clocks may differ by half a minute', async () => {
  const check = start();
  expect(await check(await sign({ exp: SECONDS - 29 }), 1)).toBe('user:7');
  expect(await check(await sign({ nbf: SECONDS + 29 }), 1)).toBe('user:7');
});

describe('keys', () => {
  test('are requested again for an unknown key, but not for each', async () => {
    const check = start();
    await check(await sign(), 1);
    serve({ keys: [...grafana.set.keys, ...other.set.keys] });
    const rolled = await sign({}, { key: other.private, kid: 'two' });
    await expect(check(rolled, 1)).rejects.toThrow('not signed with a key');
    expect(requests).toBe(1);
    later(15_000);
    expect(await Promise.all([check(rolled, 1), check(rolled, 1)])).toEqual(['user:7', 'user:7']);
    expect(requests).toBe(2);
  });

  test('are rejected within the hour after they were withdrawn', async () => {
    const check = start();
    const token = await sign({ exp: SECONDS + 7200 });
    await check(token, 1);
    serve(other.set);
    expect(await check(token, 1)).toBe('user:7');
    later(3_600_000);
    await expect(check(token, 1)).rejects.toThrow('not signed with a key');
  });

  test('are requested again although the clock was set back', async () => {
    fail();
    const check = start();
    expect(await check(await sign(), 1)).toBeUndefined();
    serve(grafana.set);
    later(-60_000);
    expect(await check(await sign(), 1)).toBe('user:7');
  });

  test('stay in use while Grafana is unreachable', async () => {
    const check = start();
    await check(await sign(), 1);
    fail();
    later(3_600_000);
    expect(await check(await sign({ exp: SECONDS + 7200 }), 1)).toBe('user:7');
    await expect(check(await sign({ exp: SECONDS }), 1)).rejects.toThrow('has expired');
    expect(await check(await sign({ exp: SECONDS + 7200 }, { key: other.private, kid: 'two' }), 1)).toBeUndefined();
    expect([requests, warnings.length]).toEqual([2, 1]);
    serve({ keys: [...grafana.set.keys, ...other.set.keys] });
    later(15_000);
    expect(await check(await sign({ exp: SECONDS + 7200 }, { key: other.private, kid: 'two' }), 1)).toBe('user:7');
  });

  test('of a Grafana that was never reached verify nothing, and are requested again', async () => {
    fail();
    const check = start();
    expect(await check(await sign(), 1)).toBeUndefined();
    expect(await check(await sign(), 1)).toBeUndefined();
    expect([requests, warnings.length]).toEqual([1, 1]);
    serve(grafana.set);
    later(15_000);
    expect(await check(await sign(), 1)).toBe('user:7');
  });

  test.each<[string, (res: Response) => void, string]>([
    ['a login page', (res) => void res.send('<html>'), 'JSON'],
    ['another document', (res) => void res.send('{"keys":[1]}'), 'keys'],
    ['an error', (res) => void res.status(500).send('{"keys":[]}'), 'status 500'],
    ['a redirect to another host', (res) => void res.redirect('http://10.0.0.1/keys'), '10.0.0.1'],
  ])('%s is not a key set', async (_what, response, why) => {
    respond = response;
    expect(await start()(await sign(), 1)).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining(why)]);
  });
});
