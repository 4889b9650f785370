/** PagerDuty Events v2: the token is in the body. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixture } from '../../backend-bridge/src/intake/webhooks/webhookFixtures.testing.ts';
import { ADMIN_TOKEN, ask, startTestBridge, type TestBridge } from './accessBridge.testing.ts';
import type { Json } from './support.ts';

const EVENT = fixture<Json>('pagerduty-trigger.json');
let bridge: TestBridge;
let token: string;

beforeAll(async () => {
  bridge = await startTestBridge({ NODEBELL_AUTH: 'token' }, undefined, afterAll);
  const body = { name: 'monitor' };
  token = (await ask(bridge.url, 'POST', '/api/v1/tokens', { token: ADMIN_TOKEN, body })).body.token;
});

async function send(body: unknown) {
  const answer = await fetch(`${bridge.url}/v2/enqueue`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
  return { status: answer.status, body: await answer.json() };
}

/** Notifications of a thread, the newest first. */
async function thread(correlationId: string): Promise<Json[]> {
  const query = `correlationId=${encodeURIComponent(correlationId)}`;
  return (await ask(bridge.url, 'GET', `/api/v1/notifications?${query}`, { token: ADMIN_TOKEN })).body as Json[];
}

const enqueue = (change: object, key = token) => send({ ...EVENT, ...change, routing_key: key });

test('an event fires, is stored once if it is sent again, and resolves', async () => {
  expect(await enqueue({})).toEqual({
    status: 202,
    body: { status: 'success', message: 'Event processed', dedup_key: 'disk/vault-2' },
  });
  await enqueue({});
  expect(await thread('disk/vault-2')).toMatchObject([{ source: 'webhook', thread: { state: 'open', count: 1 } }]);
  expect((await enqueue({ event_action: 'resolve', payload: undefined })).status).toBe(202);
  expect(await thread('disk/vault-2')).toMatchObject([
    { status: 'resolved', thread: { state: 'resolved', count: 2 } },
    {},
  ]);
});

test('acknowledges its thread as the sender while it is open, and nothing else', async () => {
  const acknowledge = (dedup_key: string) =>
    enqueue({ event_action: 'acknowledge', payload: undefined, client_url: undefined, dedup_key });
  const audit = async () => {
    const path = '/api/v1/audit?action=notification.acknowledge';
    const { entries } = (await ask(bridge.url, 'GET', path, { token: ADMIN_TOKEN })).body as {
      entries: { actor: object }[];
    };
    return entries.map(({ actor }) => actor);
  };
  await enqueue({ dedup_key: 'ack' });
  await enqueue({ dedup_key: 'other' });
  expect(await acknowledge('ack')).toEqual({
    status: 202,
    body: { status: 'success', message: 'Event processed', dedup_key: 'ack' },
  });
  const responses = async (key: string) => (await thread(key)).map((one) => one.thread.acknowledged ?? null);
  expect(await responses('ack')).toMatchObject([{ by: 'monitor' }]);
  expect(await responses('other')).toEqual([null]);
  expect(await audit()).toEqual([{ kind: 'sender', name: 'monitor', address: '127.0.0.1' }]);
  await enqueue({ event_action: 'resolve', payload: undefined, dedup_key: 'other' });
  for (const key of ['ack', 'other', 'unknown']) {
    expect((await acknowledge(key)).body).toMatchObject({ dedup_key: key });
  }
  expect(await thread('unknown')).toEqual([]);
  expect(await audit()).toHaveLength(1);
});

test('an event is read up to the limit of PagerDuty, and only within the rate limit of the address', async () => {
  const long = { ...EVENT, payload: { ...EVENT.payload, custom_details: 'x'.repeat(512 * 1024) } };
  expect(await send(long)).toMatchObject({
    status: 413,
    body: { errors: [expect.stringContaining('0.5 MiB')] },
  });
  const limited = await startTestBridge({ NODEBELL_AUTH: 'token', NODEBELL_RATE_LIMIT: '1' });
  // Another type is rejected where the body would be read.
  const init = { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } };
  const sent = Array.from({ length: 30 }, () => fetch(`${limited.url}/v2/enqueue`, init));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([415, 429]));
});

test('a trigger without a key gets one', async () => {
  const { body } = await enqueue({ dedup_key: undefined });
  expect(await thread(body.dedup_key)).toHaveLength(1);
});

test('errors have its form', async () => {
  expect(await enqueue({ event_action: 'open' })).toMatchObject({
    status: 400,
    body: { status: 'invalid event', errors: [expect.stringContaining('event_action')] },
  });
  expect((await enqueue({}, 'wrong')).status).toBe(403);
  expect(await send('{')).toMatchObject({ status: 403, body: { status: 'invalid event' } });
});
