/** Messages of web push, decrypted by a push service that is held to RFC 8291. */
import { webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PRIORITIES } from '../../../../contract/notification.ts';
import { newPushKeys } from './vapid.ts';
import { decrypt, PushService } from '../../push/pushService.testing.ts';
import type { Message, Outcome } from './channel.ts';
import { createDevice, payloadOf } from './webpush.ts';

const NOW = 1_795_000_000_000;
const message = (change: Partial<Message> = {}): Message => ({
  id: 7,
  timestamp: '2026-11-21T10:00:00.000Z',
  title: 'Disk full',
  body: 'Only 1 % of /data is left.',
  category: 'hardware',
  dnpName: 'geth.example.eth',
  priority: 'high',
  status: 'triggered',
  correlationId: 'disk',
  key: 'nb-3-7-abc',
  threadId: 3,
  ref: undefined,
  ...change,
});

let service: PushService;
beforeEach(async () => {
  service = await PushService.start();
});
afterEach(() => service.close());

async function withDevice(allow = ['127.0.0.1']) {
  const keys = newPushKeys(NOW);
  const { endpoint, keys: own } = await service.subscribe('a', keys.public_key);
  const device = { endpoint, ...own, person: 'org:4/user:anna' };
  const gone: string[] = [];
  const channel = createDevice({
    network: { allow, now: () => NOW },
    target: () => Promise.resolve({ device, keys, subject: 'mailto:admin@example.org' }),
    onGone: () => Promise.resolve(void gone.push('gone')),
  });
  const send = (change?: Partial<Message>): Promise<Outcome> =>
    channel.send(message(change), { signal: AbortSignal.timeout(20_000), idempotencyKey: 'x', via: [] });
  return { keys, channel, send, gone };
}

test('the receiving end decrypts the example of RFC 8291, section 5', async () => {
  const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  const point = Buffer.from(p256dh, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94' };
  const privateKey = await webcrypto.subtle.importKey('jwk', jwk, { name: 'ECDH', namedCurve: 'P-256' }, false, [
    'deriveBits',
  ]);
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  const keys = { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg', privateKey };
  expect(String(await decrypt(Buffer.from(body, 'base64url'), keys))).toBe('When I grow up, I want to be a watermelon');
});

test('a message: encrypted, signed for the push service, with its lifetime, urgency and topic', async () => {
  const { keys, send } = await withDevice();
  expect(await send()).toEqual({ kind: 'delivered', ref: 't3' });
  const [pushed] = service.accepted;
  expect(pushed?.payload).toEqual({
    tag: 't3',
    fires: true,
    title: 'Important: Disk full',
    body: 'Only 1 % of /data is left.\ngeth.example.eth · hardware',
    ts: Date.parse('2026-11-21T10:00:00.000Z'),
    id: 7,
    org: 4,
    renotify: true,
    silent: false,
    stays: false,
  });
  expect(pushed?.headers).toMatchObject({ ttl: '86400', urgency: 'high', topic: 't3' });
  expect(pushed?.vapid).toEqual({
    key: keys.public_key,
    claims: { aud: service.url, sub: 'mailto:admin@example.org', exp: NOW / 1000 + 12 * 3600 },
  });
});

test.each([
  ['low', '14400', 'low', true, false],
  ['medium', '43200', 'normal', false, false],
  ['high', '86400', 'high', false, false],
  ['critical', '259200', 'high', false, true],
] as const)('%s: ttl %s, urgency %s, silent %s, stays %s', async (priority, ttl, urgency, silent, stays) => {
  const { send } = await withDevice();
  await send({ priority });
  expect(service.accepted[0]).toMatchObject({ headers: { ttl, urgency }, payload: { silent, stays } });
});

test('a resolve replaces the message of its thread quietly, and outlives it at the push service', async () => {
  const { send } = await withDevice();
  await send({ id: 8, ref: 't3', status: 'resolved', priority: 'low' });
  expect(service.accepted[0]).toMatchObject({
    headers: { topic: 't3', ttl: '259200' },
    payload: { tag: 't3', title: 'Resolved: Disk full', silent: true, renotify: false },
  });
});

test('what was read is closed: one by its topic, several by one message', async () => {
  const { channel } = await withDevice();
  await channel.close(['t3'], AbortSignal.timeout(20_000));
  await channel.close(['t3', 't4'], AbortSignal.timeout(20_000));
  expect(service.accepted.map(({ payload, headers }) => [payload, headers.topic, headers.urgency])).toEqual([
    [{ close: ['t3'] }, 't3', 'low'],
    [{ close: ['t3', 't4'] }, undefined, 'low'],
  ]);
});

describe('responses of the push service', () => {
  test.each([404, 410])('%i: the subscription has expired', async (status) => {
    const { send, gone } = await withDevice();
    service.reject('a', { status });
    expect(await send()).toEqual({
      kind: 'refused',
      reason: 'The subscription has expired: the device has been removed.',
    });
    expect(gone).toEqual(['gone']);
  });

  test.each([
    [
      { status: 429, headers: { 'retry-after': '9' } },
      { kind: 'retry', afterMs: 9000 },
    ],
    [{ status: 503 }, { kind: 'retry' }],
    [{ status: 413 }, { kind: 'refused' }],
    [{ status: 403 }, { kind: 'refused' }],
  ])('%j', async (reply, outcome) => {
    const { send, gone } = await withDevice();
    service.reject('a', reply);
    expect(await send()).toMatchObject(outcome);
    expect(gone).toEqual([]);
  });

  test('a push service in a private network is not connected to, and its address is not named', async () => {
    const { send } = await withDevice([]);
    const outcome = await send();
    expect(outcome).toMatchObject({ kind: 'retry' });
    expect(JSON.stringify(outcome)).not.toContain('/push/a');
    expect(service.arrived).toEqual([]);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6000 }),
  fc.string({ unit: 'grapheme', maxLength: 3000 }),
  fc.constantFrom('"', '\\', '€', '😀', '\u{1F468}\u200D\u{1F469}', '\uD800', '\u0001').map((unit) => unit.repeat(5000))
);
test('every payload fits, as whole characters, and keeps as much as fits', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(...PRIORITIES), (title, body, priority) => {
      const payload = payloadOf(message({ title, body, priority, dnpName: '' }), 't3', 'org:1/user:a');
      expect(payload.length).toBeLessThanOrEqual(4096 - 103);
      const parsed = JSON.parse(payload.toString()) as { body: string };
      if (parsed.body.endsWith('…')) {
        expect(payload.length).toBeGreaterThan(4096 - 103 - 16);
        expect(parsed.body.at(-2)).not.toMatch(/[\uD800-\uDBFF]/);
      }
    }),
    { numRuns: 200 }
  );
});
