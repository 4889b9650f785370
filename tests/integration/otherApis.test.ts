/** APIs of other programs, and the paths of Grafana OnCall: their clients send to a bridge that requires tokens. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import { fixture } from '../../backend-bridge/src/intake/webhooks/webhookFixtures.testing.ts';
import { ADMIN_TOKEN, ask, startTestBridge, type TestBridge } from './accessBridge.testing.ts';
import type { Json } from './support.ts';

/** A token from a file has no prefix by which it could be recognized in a log. */
const KEY = 'k3y-of-the-old-oncall';
let bridge: TestBridge;
let token: string;

beforeAll(async () => {
  bridge = await startTestBridge({ NODEBELL_AUTH: 'token' }, undefined, afterAll);
  token = (await ask(bridge.url, 'POST', '/api/v1/tokens', { token: ADMIN_TOKEN, body: { name: 'monitor' } })).body
    .token;
});

interface Options {
  headers?: Record<string, string>;
  method?: string;
}

async function send(path: string, body: unknown, { headers = {}, method = 'POST' }: Options = {}) {
  const answer = await fetch(`${bridge.url}${path}`, {
    method,
    body: method === 'GET' ? null : typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? '' : JSON.parse(text) };
}

/** Notifications of a thread, the newest first. */
async function thread(correlationId: string): Promise<Json[]> {
  const query = `correlationId=${encodeURIComponent(correlationId)}`;
  return (await ask(bridge.url, 'GET', `/api/v1/notifications?${query}`, { token: ADMIN_TOKEN })).body as Json[];
}

const newest = async (): Promise<Json> =>
  (await ask(bridge.url, 'GET', '/api/v1/notifications?limit=1', { token: ADMIN_TOKEN })).body[0];

const bearer = (given = token): Record<string, string> => ({ Authorization: `Bearer ${given}` });
const basic = (given = token): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`:${given}`).toString('base64')}`,
});

const KUMA = fixture<Json>('uptime-kuma-down.json');
const FORMATTED = fixture<Json>('oncall-formatted.json');

describe('ntfy', () => {
  test.each(['POST', 'PUT'])('%s to a topic publishes, with the token as bearer or password', async (method) => {
    const headers = { 'Content-Type': 'text/plain', Title: 'Backup', Priority: '4', Tags: 'disk,ok' };
    const { status, body } = await send('/ntfy/backups', 'Done, in 3 h', {
      method,
      headers: { ...headers, ...basic() },
    });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^\d+$/),
        time: expect.any(Number),
        event: 'message',
        topic: 'backups',
        title: 'Backup',
        message: 'Done, in 3 h',
        priority: 4,
        tags: ['disk', 'ok'],
      },
    ]);
    expect(await newest()).toMatchObject({ title: 'Backup', priority: 'high', labels: { topic: 'backups' } });
    expect((await send('/ntfy/backups', 'x', { method, headers: bearer() })).status).toBe(200);
  });

  test('JSON to the root publishes', async () => {
    const { body } = await send('/ntfy/', { topic: 'b', message: 'hi', sequence_id: 's1' }, { headers: bearer() });
    expect(body).toMatchObject({ topic: 'b', message: 'hi' });
    expect(await thread('ntfy-b-s1')).toHaveLength(1);
  });

  test('errors have its form', async () => {
    expect(await send('/ntfy/backups', 'x', { headers: basic('wrong') })).toMatchObject({
      status: 403,
      body: { code: 40301, http: 403, error: 'Unknown sender token.' },
    });
    const auth = Buffer.from(`Bearer ${token}`).toString('base64url');
    expect(await send(`/ntfy/backups?auth=${auth}`, 'x')).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('must not be part of the URL') },
    });
    expect(await send('/ntfy', { message: 'no topic' }, { headers: bearer() })).toMatchObject({
      status: 400,
      body: { code: 40000 },
    });
  });
});

describe('Gotify', () => {
  const key = (given = token) => ({ headers: { 'X-Gotify-Key': given } });

  test('a message as JSON or form, with the token as X-Gotify-Key', async () => {
    const { status, body } = await send('/gotify/message', { title: 'Login', message: 'root', priority: 8 }, key());
    expect([status, body]).toMatchObject([200, { appid: 0, title: 'Login', message: 'root', priority: 8 }]);
    const form = new FormData();
    form.set('message', 'from a form');
    const sent = await fetch(`${bridge.url}/gotify/message`, { method: 'POST', body: form, ...key() });
    expect(await sent.json()).toMatchObject({ message: 'from a form', priority: 0 });
    expect(await newest()).toMatchObject({ title: 'from a form', source: 'webhook' });
  });

  test.each([
    ['URL-encoded', () => new URLSearchParams()],
    ['multipart', () => new FormData()],
  ])('a form that is %s may have as many fields as are allowed', async (_name, create) => {
    const { value: allowed } = LIMITS.formFields;
    const body = create();
    body.set('message', 'many fields');
    for (let index = 1; index < allowed; index += 1) {
      body.append('a', '1');
    }
    expect((await fetch(`${bridge.url}/gotify/message`, { method: 'POST', body, ...key() })).status).toBe(200);
    body.append('a', '1');
    const rejected = await fetch(`${bridge.url}/gotify/message`, { method: 'POST', body, ...key() });
    expect([rejected.status, await rejected.json()]).toMatchObject([
      413,
      { errorDescription: 'The form has more than 1,000 fields.' },
    ]);
  });

  test('a boundary does not hide fields of a form that is URL-encoded', async () => {
    const headers = { ...key().headers, 'Content-Type': 'application/x-www-form-urlencoded; boundary=none' };
    const body = `message=a${'&a'.repeat(LIMITS.formFields.value)}`;
    expect((await send('/gotify/message', body, { headers })).status).toBe(413);
  });

  test('errors have its form', async () => {
    expect(await send('/gotify/message', { message: 'x' }, key('wrong'))).toMatchObject({
      status: 403,
      body: { errorCode: 403, errorDescription: 'Unknown sender token.' },
    });
    expect((await send(`/gotify/message?token=${token}`, { message: 'x' })).body.errorDescription).toContain('URL');
    expect(await send('/gotify/message', {}, key())).toMatchObject({ status: 400, body: { errorCode: 400 } });
    const broken = { 'X-Gotify-Key': token, 'Content-Type': 'multipart/form-data' };
    expect((await send('/gotify/message', 'x', { headers: broken })).status).toBe(400);
  });
});

test('Uptime Kuma: down opens, up resolves, a retry is stored once', async () => {
  const post = (body: unknown, headers = bearer()) => send('/api/v1/webhooks/uptime-kuma', body, { headers });
  expect(await post(KUMA)).toEqual({ status: 200, body: { accepted: 1, duplicates: 0, truncated: 0 } });
  expect((await post(KUMA)).body).toMatchObject({ accepted: 0, duplicates: 1 });
  await post({ ...KUMA, heartbeat: { ...KUMA.heartbeat, status: 1 } });
  expect(await thread('uptime-kuma-7')).toMatchObject([{ thread: { state: 'resolved', count: 2 } }, {}]);
  expect((await post(KUMA, bearer('wrong'))).status).toBe(403);
  expect((await post('{"heartbeat":')).status).toBe(400);
});

test('Zabbix: a problem opens, its recovery resolves, a retry is stored once', async () => {
  const post = (value: string) =>
    send('/api/v1/webhooks/zabbix', { id: '9', value, name: 'Disk full' }, { headers: bearer() });
  expect((await post('1')).body).toMatchObject({ accepted: 1 });
  expect((await post('1')).body).toMatchObject({ accepted: 0, duplicates: 1 });
  expect((await post('0')).body).toMatchObject({ accepted: 1 });
  expect(await thread('zabbix-9')).toMatchObject([{ thread: { state: 'resolved', count: 2 } }, {}]);
  expect((await post('maybe')).body.errors).toMatchObject([{ pointer: '/value' }]);
  expect((await send('/api/v1/webhooks/zabbix', {}, { headers: bearer('wrong') })).status).toBe(403);
});

test('CloudEvents: source and id are stored once, in a batch and in binary mode', async () => {
  const event = { specversion: '1.0', source: '/backup', type: 'failed', data: { title: 'Backup failed' } };
  const post = (body: unknown, headers: Record<string, string>) =>
    send('/api/v1/webhooks/cloudevents', body, { headers: { ...bearer(), ...headers } });
  const batch = { 'Content-Type': 'application/cloudevents-batch+json' };
  const both = [1, 2].map((id) => ({ ...event, id: String(id) }));
  expect((await post(both, batch)).body).toMatchObject({ accepted: 2, duplicates: 0 });
  const one = { 'Content-Type': 'application/cloudevents+json' };
  expect((await post(both[1], one)).body).toMatchObject({ accepted: 0, duplicates: 1 });
  const binary = { 'ce-specversion': '1.0', 'ce-source': '/backup', 'ce-type': 'failed' };
  expect((await post('text', { 'Content-Type': 'text/plain', ...binary, 'ce-id': '2' })).body).toMatchObject({
    duplicates: 1,
  });
  expect((await post('text', { 'Content-Type': 'text/plain', ...binary, 'ce-id': '3' })).body).toMatchObject({
    accepted: 1,
  });
  expect(await newest()).toMatchObject({ title: 'failed', body: 'text' });
  expect((await post('{"a', { ...binary, 'ce-id': '4' })).status).toBe(400);
  expect((await post([both[0], {}], batch)).body.errors).toMatchObject([{ pointer: '/1/specversion' }, {}, {}, {}]);
  expect((await post(both[0], { ...one, ...bearer('wrong') })).status).toBe(403);
});

describe('paths of Grafana OnCall', () => {
  const path = (type: string, key = token) => `/integrations/v1/${type}/${key}/`;

  test('a formatted webhook fires, is stored once if it is sent again, and resolves', async () => {
    expect(await send(path('formatted_webhook'), FORMATTED)).toEqual({ status: 200, body: 'Ok.' });
    await send(path('formatted_webhook'), FORMATTED);
    await send(path('formatted_webhook'), { ...FORMATTED, state: 'ok' });
    expect(await thread('5f0c1d2e-geth')).toMatchObject([{ thread: { state: 'resolved', count: 2 } }, {}]);
  });

  test('groups of alerts are read as those of the webhooks, and stored once', async () => {
    const sources = async (type: string, file: string) => {
      const { id } = await newest();
      expect((await send(path(type), fixture(file))).body).toBe('Ok.');
      const { body } = await ask(bridge.url, 'GET', '/api/v1/notifications', { token: ADMIN_TOKEN });
      return (body as Json[]).filter((one) => one.id > id).map(({ source }) => source);
    };
    expect(await sources('grafana_alerting', 'grafana-firing.json')).toEqual(['grafana', 'grafana']);
    expect(new Set(await sources('alertmanager', 'alertmanager-mixed.json'))).toEqual(new Set(['alertmanager']));
    expect(await sources('grafana', 'grafana-firing.json')).toEqual([]);
    expect((await send(path('webhook'), { job: 'backup' })).body).toBe('Ok.');
  });

  test('a heartbeat notes the use of the token', async () => {
    const made = (await ask(bridge.url, 'POST', '/api/v1/tokens', { token: ADMIN_TOKEN, body: { name: 'heart' } }))
      .body;
    const lastUse = async () =>
      ((await ask(bridge.url, 'GET', '/api/v1/tokens', { token: ADMIN_TOKEN })).body as Json[]).find(
        ({ id }) => id === made.id
      ).lastUsedAt;
    expect(await lastUse()).toBeNull();
    expect(await send(`${path('alertmanager', made.token)}heartbeat/`, '')).toEqual({ status: 200, body: '' });
    expect(await lastUse()).not.toBeNull();
    expect((await send(`${path('alertmanager')}heartbeat/`, '', { method: 'GET' })).body).toBe(':)');
  });

  test('other types, wrong keys and the admin token are rejected', async () => {
    expect((await send(path('zabbix'), {})).status).toBe(404);
    expect((await send(path('webhook', KEY), {})).status).toBe(403);
    expect((await send(path('webhook', ADMIN_TOKEN), {})).body.detail).toContain('must not be part of a URL');
    expect((await send(path('formatted_webhook'), { alert_uid: [] })).body.errors).toMatchObject([
      { pointer: '/alert_uid' },
    ]);
  });

  test('no key is in the log, an audit entry or a metric', async () => {
    for (const one of [
      path('webhook', KEY),
      `${path('webhook', KEY)}heartbeat/`,
      path('WebHook', KEY),
      path('unknown', KEY),
      `/integrations/v1/${KEY}`,
      `/integrations/${KEY}`,
      `/oncall/integrations/v1/webhook/${KEY}/`,
      `/INTEGRATIONS/v1/webhook/${KEY}/x`,
      `/integrations/v1/webhook/${KEY}/?token=${KEY}`,
      `/integrations/v1/webhook/${KEY}/%zz`,
    ]) {
      await send(one, {});
      await send(one, '{');
      await send(one, {}, { method: 'DELETE' });
      await send(one, {}, { headers: { 'Content-Type': 'text/plain' } });
    }
    expect(JSON.stringify((await ask(bridge.url, 'GET', '/api/v1/audit', { token: ADMIN_TOKEN })).body)).not.toContain(
      KEY
    );
    const metrics = await fetch(`${bridge.url}/metrics`, { headers: bearer(ADMIN_TOKEN) });
    expect(await metrics.text()).not.toContain(KEY);
    expect(bridge.log()).toContain('/integrations/v1/webhook/[redacted]');
    expect(bridge.log()).not.toContain(KEY);
    expect(bridge.log()).not.toContain(token);
  });
});
