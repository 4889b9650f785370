import { describe, expect, it } from 'vitest';
import { GATUS_BODY } from '../../../contract/gatusWebhook.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { fillAsGatus } from './gatusFill.testing.ts';
import { fixture, fixtureBytes } from './webhookFixtures.testing.ts';
import { startWebhooks as start } from './webhookServer.testing.ts';

const FIRING = fixtureBytes('grafana-firing.json');
const ALERTMANAGER = fixtureBytes('alertmanager-mixed.json');

describe('POST /grafana', () => {
  it('stores one notification for each alert, in one transaction, and responds with 200', async () => {
    const { post, stored, calls } = await start();
    const { status, json } = await post('grafana', FIRING);
    expect([status, json]).toEqual([200, { accepted: 2, duplicates: 0, truncated: 0 }]);
    expect(stored.map(({ source }) => source)).toEqual(['grafana', 'grafana']);
    expect(calls).toEqual([2]);
  });

  it('takes a PUT too', async () => {
    const { post } = await start();
    expect((await post('grafana', FIRING, {}, 'PUT')).json).toMatchObject({ accepted: 2 });
  });

  it('changes nothing when the same alerts are repeated, and responds with 200', async () => {
    const { post, stored } = await start();
    await post('grafana', FIRING);
    expect((await post('grafana', FIRING)).json).toEqual({ accepted: 0, duplicates: 2, truncated: 0 });
    expect(stored).toHaveLength(2);
  });

  it('makes what was left out a notification, once', async () => {
    const { post, stored } = await start();
    const mixed = fixtureBytes('grafana-mixed.json');
    expect((await post('grafana', mixed)).json).toMatchObject({ accepted: 3, duplicates: 0, truncated: 12 });
    expect(stored.at(-1)!.payload.title).toBe('12 alerts were left out by Grafana');
    expect((await post('grafana', mixed)).json).toMatchObject({ accepted: 0, duplicates: 3, truncated: 12 });
  });

  it('refuses a body whole: one bad alert, and nothing is stored', async () => {
    const { post, calls } = await start();
    const body = fixture<{ alerts: { status: string }[] }>('grafana-firing.json');
    body.alerts[1]!.status = 'maybe';
    const { status, type, json } = await post('grafana', JSON.stringify(body));
    expect([status, type]).toEqual([400, 'application/problem+json']);
    expect(json).toMatchObject({
      type: '/api/v1/problems/invalid',
      errors: [{ pointer: '/alerts/1/status', found: '"maybe"', allowed: 'one of "firing", "resolved"' }],
    });
    expect(calls).toEqual([]);
  });

  it('refuses more alerts than one webhook may hold, before it reads them', async () => {
    const { post, calls } = await start();
    const limit = LIMITS.webhookAlerts.value;
    const { status, json } = await post('grafana', JSON.stringify({ alerts: Array(limit + 1).fill(null) }));
    expect([status, json.detail]).toEqual([
      413,
      expect.stringContaining(`Found ${limit + 1} alerts, allowed are ${limit}`),
    ]);
    expect(calls).toEqual([]);
  });

  it('refuses a custom payload with the way out', async () => {
    const { post } = await start();
    const { status, json } = await post('grafana', '{"text":"disk full"}');
    expect([status, json.detail]).toEqual([400, expect.stringContaining('Remove the custom payload')]);
  });

  it.each([
    ['not JSON', '{"alerts":[', 400, 'malformed'],
    ['no body', '', 400, 'malformed'],
    ['null', 'null', 400, 'invalid'],
  ])('%s is refused', async (_name, body, status, kind) => {
    const { post } = await start();
    const answer = await post('grafana', body);
    expect([answer.status, answer.json.type]).toEqual([status, `/api/v1/problems/${kind}`]);
  });

  it('may be empty of alerts', async () => {
    const { post, calls } = await start();
    expect((await post('grafana', '{"alerts":[]}')).json).toEqual({ accepted: 0, duplicates: 0, truncated: 0 });
    expect(calls).toEqual([]);
  });

  it('keeps alerts with bytes and characters that are no text, with a note', async () => {
    const { post, stored, logged } = await start();
    const bytes = Buffer.concat([
      Buffer.from('\ufeff{"alerts":[{"status":"firing","labels":{},"annotations":{"summary":"a\\u0000\\ud800 '),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}]}'),
    ]);
    const { status, json } = await post('grafana', bytes);
    expect([status, json.notes]).toEqual([
      200,
      [expect.stringContaining('UTF-8'), expect.stringContaining('/alerts/0/annotations/summary')],
    ]);
    expect(stored[0]!.payload.title).toBe('a\ufffd \ufffd\ufffd');
    expect(logged).toEqual([expect.objectContaining({ accepted: 1, notes: json.notes })]);
  });

  it('passes on that the store cannot write, so that it is sent again', async () => {
    const receive = () => Promise.reject(new HttpProblem('unavailable', 'full', { headers: { 'Retry-After': '1' } }));
    const { post } = await start({ receive });
    expect((await post('grafana', FIRING)).status).toBe(503);
  });

  it('takes 16 MiB and no more', async () => {
    const { post } = await start();
    const pad = (size: number) => `{"alerts":[],"pad":"${'x'.repeat(size - 23)}"}`.padEnd(size);
    expect((await post('grafana', pad(LIMITS.webhookBodyBytes.value))).status).toBe(200);
    const { status, json } = await post('grafana', pad(LIMITS.webhookBodyBytes.value + 1));
    expect([status, json.type]).toEqual([413, '/api/v1/problems/too-large']);
  });
});

describe('the signature', () => {
  /** Made with `openssl dgst -sha256 -hmac`, over the file, and over `1795212250:` and the file. */
  const SECRET = 'correct horse battery staple';
  const OF_BODY = '39dbea2bc3fcf9d23bfc3e5e9eb9b5f2447f1f3196d66d3e129872331b5de156';
  const OF_TIME_AND_BODY = '5ae22c31f3e5fcc9fe0da44d99fc37951580620a2e1bf8c0accf6ea6fe11531c';
  const withSignature = (value: string) => ({ 'X-Grafana-Alerting-Signature': value });
  const withTime = (value: string) => ({ ...withSignature(value), 'X-Grafana-Alerting-Timestamp': '1795212250' });

  it('is required if a secret is configured, in both modes, for POST and PUT', async () => {
    const { post, stored } = await start({ webhookSecret: SECRET });
    expect((await post('grafana', FIRING, withSignature(OF_BODY))).status).toBe(200);
    expect((await post('grafana', FIRING, withTime(OF_TIME_AND_BODY), 'PUT')).status).toBe(200);
    expect(stored).toHaveLength(2);
  });

  it.each([
    ['none', {}],
    ['a wrong one', withSignature(OF_TIME_AND_BODY)],
    ['one of the other mode', withTime(OF_BODY)],
  ])('%s is a 403 that tells no secret; nothing is stored', async (_name, headers) => {
    const { post, calls } = await start({ webhookSecret: SECRET });
    for (const method of ['POST', 'PUT']) {
      const { status, json } = await post('grafana', FIRING, headers, method);
      expect([status, json.type]).toEqual([403, '/api/v1/problems/forbidden']);
      expect(JSON.stringify(json)).not.toMatch(/horse|39dbea|5ae22c/);
    }
    expect(calls).toEqual([]);
  });

  it('is checked before the body is read', async () => {
    const { post } = await start({ webhookSecret: SECRET });
    expect((await post('grafana', 'no JSON')).status).toBe(403);
  });

  it('of more than five minutes ago is refused, with the reason', async () => {
    const { post, clock } = await start({ webhookSecret: SECRET });
    clock.now += 301_000;
    const { status, json } = await post('grafana', FIRING, withTime(OF_TIME_AND_BODY));
    expect([status, json.detail]).toEqual([403, expect.stringContaining('five minutes')]);
  });

  it('is not required of monitors that cannot sign', async () => {
    const { post } = await start({ webhookSecret: SECRET });
    expect((await post('alertmanager', ALERTMANAGER)).status).toBe(200);
    expect((await post('gatus', fillAsGatus(GATUS_BODY))).status).toBe(200);
  });
});

describe('POST /alertmanager', () => {
  it('stores firing and resolved alerts of one body', async () => {
    const { post, stored } = await start();
    expect((await post('alertmanager', ALERTMANAGER)).json).toEqual({ accepted: 3, duplicates: 0, truncated: 3 });
    expect(stored.map(({ payload }) => payload.status)).toEqual(['resolved', 'triggered', undefined]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    '%s is a 415',
    async (type) => {
      const { post } = await start();
      expect((await post('alertmanager', ALERTMANAGER, { 'Content-Type': type })).status).toBe(415);
    }
  );

  it('without a Content-Type is a 415', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/alertmanager`, { method: 'POST', body: new Blob([ALERTMANAGER]) });
    expect(answer.status).toBe(415);
  });

  it('leaves out the end of a spell that a newer one has followed', async () => {
    const { post, stored } = await start();
    const alert = (status: string, startsAt: string, endsAt: string) =>
      JSON.stringify({
        alerts: [{ status, labels: { alertname: 'A' }, annotations: {}, startsAt, endsAt, fingerprint: 'f' }],
      });
    await post('alertmanager', alert('firing', '2026-11-20T12:00:00Z', '0001-01-01T00:00:00Z'));
    const late = await post('alertmanager', alert('resolved', '2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'));
    expect(late.json).toEqual({ accepted: 0, duplicates: 1, truncated: 0, notes: [expect.stringContaining('newer')] });
    const end = await post('alertmanager', alert('resolved', '2026-11-20T12:00:00Z', '2026-11-20T13:00:00Z'));
    expect(end.json).toMatchObject({ accepted: 1 });
    expect(stored.map(({ payload }) => payload.status)).toEqual(['triggered', 'resolved']);
  });
});
