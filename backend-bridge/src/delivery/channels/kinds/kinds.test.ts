/** Each kind but mail and web push against a receiver that is held to what the service documents. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { NTFY, startHook, startNtfy } from '../receivers.testing.ts';
import { retryAfterMs } from './http.ts';
import { BRIDGE, make, send } from './kinds.testing.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});
async function started<T extends { close(): Promise<void> }>(receiver: Promise<T>): Promise<T> {
  const one = await receiver;
  closers.push(() => one.close());
  return one;
}

describe('webhook', () => {
  const withHook = async () => {
    const hook = await started(startHook());
    return { hook, channel: make({ type: 'webhook', url: `${hook.url}/in`, secret: 's' }) };
  };

  test.each([
    [{ status: 204 }, { kind: 'delivered' }],
    [{ status: 500 }, { kind: 'retry', reason: 'The server responds with 500.' }],
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'retry', reason: 'The server responds with 429.', afterMs: 7000 },
    ],
    [{ status: 401 }, { kind: 'retry', reason: 'The server responds with 401.' }],
    [{ status: 404 }, { kind: 'refused', reason: 'The server responds with 404.' }],
    [
      { status: 409, body: { type: '/api/v1/problems/loop' } },
      {
        kind: 'refused',
        reason:
          'The server responds with 409: The notification has been at that bridge before, the channel leads back to it.',
      },
    ],
  ])('%j', async (reply, outcome) => {
    const { hook, channel } = await withHook();
    hook.reject(reply);
    expect(await send(channel)).toEqual(outcome);
  });

  test('a redirect is not followed: the body is for this host', async () => {
    const { hook, channel } = await withHook();
    hook.reject({ status: 307, headers: { location: 'http://169.254.169.254/' } });
    expect(await send(channel)).toMatchObject({ kind: 'retry' });
    expect(hook.arrived).toHaveLength(1);
  });

  test('that does not respond in time is retried', async () => {
    const late = new AbortController();
    const server = createServer(() => late.abort()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const channel = make({ type: 'webhook', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in` });
    expect(await send(channel, {}, [], late.signal)).toEqual({
      kind: 'retry',
      reason: expect.stringMatching(/took longer than 15 s\.$/),
    });
  });

  test('the key of a retry is the same', async () => {
    const { hook, channel } = await withHook();
    hook.reject({ status: 503 });
    await send(channel);
    await send(channel);
    expect(hook.arrived.map(({ headers }) => headers['idempotency-key'])).toEqual(['chan-1', 'chan-1']);
  });

  test('the bridges through which it has come are in a header; through more than five, it is not sent', async () => {
    const { hook, channel } = await withHook();
    await send(channel, {}, ['a', 'b', 'c', 'd']);
    expect(hook.arrived.map(({ headers }) => headers['nodebell-via'])).toEqual([`a,b,c,d,${BRIDGE}`]);
    const reason = 'It has come through too many bridges.';
    expect(await send(channel, {}, ['a', 'b', 'c', 'd', 'e'])).toEqual({ kind: 'refused', reason });
    expect(hook.arrived).toHaveLength(1);
  });
});

describe('nodebell', () => {
  const OTHER = '0123456789ac';
  const withBridge = async (answer: object) => {
    const hook = await started(startHook());
    hook.broken = { status: 200, body: { accepted: 0, duplicates: 0, returned: [], rejected: [], ...answer } };
    return { hook, channel: make({ type: 'nodebell', url: hook.url, token: 't', node: 'attic' }) };
  };

  test.each([
    ['accepted', { bridge: OTHER, accepted: 1 }, [], { kind: 'delivered' }],
    ['returned by a bridge at which it has been', { bridge: OTHER, returned: [0] }, [OTHER], { kind: 'delivered' }],
    [
      'returned by a bridge at which it has not been',
      { bridge: OTHER, returned: [0] },
      ['0123456789ad'],
      {
        kind: 'refused',
        reason:
          'The other bridge responds that it had the notification before, but the notification has not been there.',
      },
    ],
    [
      'returned by a copy of this bridge',
      { bridge: BRIDGE, returned: [0] },
      [OTHER],
      {
        kind: 'refused',
        reason:
          'The other bridge has the same identity as this one: the channel leads to this bridge itself, or to a copy of its data.',
      },
    ],
    ['rejected', { bridge: OTHER, rejected: [{ index: 0, reason: 'No.' }] }, [], { kind: 'refused', reason: 'No.' }],
  ] as const)('%s', async (_, answer, before, outcome) => {
    const { hook, channel } = await withBridge(answer);
    expect(await send(channel, {}, before)).toEqual(outcome);
    expect(hook.arrived[0]!.json).toMatchObject({ notifications: [{ node: 'attic', via: [...before, BRIDGE] }] });
  });

  test('what has come through more than five bridges is not sent', async () => {
    const { hook, channel } = await withBridge({ bridge: OTHER });
    const reason = 'It has come through too many bridges.';
    expect(await send(channel, {}, ['a', 'b', 'c', 'd', 'e'])).toEqual({ kind: 'refused', reason });
    expect(hook.arrived).toEqual([]);
  });
});

test('Retry-After is seconds or a date', () => {
  expect(retryAfterMs('120', 0)).toBe(120_000);
  expect(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4000)).toBe(6000);
  expect(retryAfterMs('soon', 0)).toBeUndefined();
  expect(retryAfterMs(undefined, 0)).toBeUndefined();
});

describe('ntfy', () => {
  test('publishes as JSON, whatever a title contains, and updates by its sequence id', async () => {
    const ntfy = await started(startNtfy());
    const channel = make({ type: 'ntfy', url: ntfy.url, topic: 'node', token: 'tk_secret' });
    const body = '€'.repeat(5000);
    expect(await send(channel, { title: 'Two\r\nX-Delay: 3d', body })).toEqual({
      kind: 'delivered',
      ref: 'nb-3-7-abc',
    });
    expect(await send(channel, { id: 8, key: 'nb-3-8-abd', ref: 'nb-3-7-abc', status: 'resolved' })).toEqual({
      kind: 'delivered',
      ref: 'nb-3-7-abc',
    });
    const [first, second] = ntfy.accepted;
    expect(first!.headers.authorization).toBe('Bearer tk_secret');
    expect(first!.headers).not.toHaveProperty('x-delay');
    expect(first!.json).toMatchObject({ topic: 'node', title: 'Important: Two X-Delay: 3d', priority: 4 });
    expect(second!.json).toMatchObject({
      sequence_id: first!.json.sequence_id,
      title: 'Resolved: Disk full',
      priority: 2,
    });
  });

  test.each([
    [NTFY.flood, { kind: 'retry', reason: 'The server responds with 429: limit reached: too many requests.' }],
    [NTFY.forbidden, { kind: 'refused', reason: 'The server responds with 403: forbidden.' }],
  ])('%j', async (reply, outcome) => {
    const ntfy = await started(startNtfy());
    ntfy.reject(reply);
    expect(await send(make({ type: 'ntfy', url: ntfy.url, topic: 'node' }))).toEqual(outcome);
  });
});

describe('what a service says', () => {
  const SECRET = 'the-secret-of-the-channel';
  // Cut in the middle of the secret.
  const said = `${'x'.repeat(188)} ${SECRET}`;
  const path = `/hooks/${SECRET}?token=${SECRET}`;
  test.each([
    [{ type: 'ntfy', topic: 'node', token: SECRET }, { error: said }],
    [{ type: 'ntfy', topic: SECRET }, { error: said }],
    [
      { type: 'telegram', chatId: '42', token: SECRET },
      { ok: false, description: said },
    ],
    [{ type: 'nodebell', node: 'attic', token: SECRET }, { detail: said }],
    [
      { type: 'slack', token: SECRET, channel: 'C1' },
      { ok: false, error: said },
    ],
    [{ type: 'slack', url: path }, { error: said }],
    [{ type: 'mattermost', token: SECRET, channel: 'c' }, { message: said }],
    [{ type: 'mattermost', url: path }, { message: said }],
    [{ type: 'discord', url: path }, { message: said }],
    [{ type: 'teams', url: path }, { error: { message: said } }],
    [{ type: 'googlechat', url: path }, { error: { message: said } }],
    [{ type: 'rocketchat', token: SECRET, userId: 'u', channel: '#c' }, { error: said }],
    [{ type: 'rocketchat', url: path }, { error: said }],
    [{ type: 'gotify', token: SECRET }, { errorDescription: said }],
    [
      { type: 'pushover', user: 'u', token: SECRET },
      { status: 0, errors: [said] },
    ],
    [
      { type: 'pushover', user: SECRET, token: '#' },
      { status: 0, errors: [said] },
    ],
    [{ type: 'matrix', roomId: '!a:example.org', token: SECRET }, { error: said }],
    [{ type: 'apprise', key: SECRET }, { error: said }],
    [{ type: 'twilio', accountSid: 'AC', fromNumber: '+1', toNumber: '+1', token: SECRET }, { message: said }],
  ] as const)('contains no part of a secret: %j', async (given, body) => {
    const hook = await started(startHook());
    hook.reject({ status: 400, body });
    const url = `${hook.url}${'url' in given ? given.url : ''}`;
    const outcome = (await send(make({ ...given, url }))) as { reason: string };
    expect(outcome.reason).toMatch(/^The server responds with 400: x+ …\.$/);
  });
});
