import { describe, expect, it } from 'vitest';
import { GATUS_BODY } from '../../../contract/gatusWebhook.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { fillAsGatus } from './gatusFill.testing.ts';
import { startWebhooks as start } from './webhookServer.testing.ts';

describe('POST /gatus', () => {
  it('stores a notification, and recovers one from broken JSON', async () => {
    const { post, stored } = await start();
    expect((await post('gatus', fillAsGatus(GATUS_BODY))).json).toEqual({ accepted: 1, duplicates: 0, truncated: 0 });
    const { status, json } = await post(
      'gatus',
      fillAsGatus(GATUS_BODY, { conditions: '❌ - `[BODY].a == "b"`', name: 'other' })
    );
    expect([status, json.accepted, json.notes]).toEqual([200, 1, [expect.stringContaining('nothing was lost')]]);
    expect(stored.map(({ payload }) => payload.title)).toEqual(['geth-rpc', 'other']);
  });

  it('takes a retry for what it is, a reminder for news, and a new failure for news', async () => {
    const { post, stored, clock } = await start();
    const down = fillAsGatus(GATUS_BODY);
    const up = fillAsGatus(GATUS_BODY, { status: 'RESOLVED' });
    await post('gatus', down);
    clock.now += 30_000;
    expect((await post('gatus', down)).json).toEqual({ accepted: 0, duplicates: 1, truncated: 0 });
    clock.now += 300_000;
    expect((await post('gatus', down)).json).toMatchObject({ accepted: 1 });
    expect((await post('gatus', up)).json).toMatchObject({ accepted: 1 });
    expect((await post('gatus', down)).json).toMatchObject({ accepted: 1 });
    expect(stored.map(({ payload }) => payload.status)).toEqual(['triggered', 'triggered', 'resolved', 'triggered']);
  });

  it('needs no Content-Type, unless a web page sends it', async () => {
    const { url } = await start();
    const body = () => new Blob([fillAsGatus(GATUS_BODY)]);
    expect((await fetch(`${url}/gatus`, { method: 'POST', body: body() })).status).toBe(200);
    const headers = { Origin: 'https://evil.example' };
    expect((await fetch(`${url}/gatus`, { method: 'POST', body: body(), headers })).status).toBe(415);
    const text = { 'Content-Type': 'text/plain' };
    expect((await fetch(`${url}/gatus`, { method: 'POST', body: body(), headers: text })).status).toBe(415);
  });

  it('refuses what it can make nothing of, with the reason', async () => {
    const { post, calls } = await start();
    const { status, json } = await post('gatus', '{"body":"a"b"}');
    expect([status, json.detail]).toEqual([400, expect.stringMatching(/line 1, column.*recovered/)]);
    expect(calls).toEqual([]);
  });

  it('says which method it knows: Gatus sends a GET by default', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/gatus`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(((await answer.json()) as { detail: string }).detail).toContain('method: POST');
  });
});

describe('with a token that is bound to packages', () => {
  const sender: Sender = { id: '1', name: 'monitor', packages: ['a.dnp', 'b.dnp'] };
  const alerts = (labels: Record<string, string>) =>
    JSON.stringify({
      alerts: [{ status: 'firing', labels, startsAt: '2026-11-20T12:00:00Z' }],
      truncatedAlerts: 1,
      receiver: 'r',
    });

  it('alerts that name no package, and our own words, come under its first', async () => {
    const { post, stored } = await start({ sender });
    expect((await post('alertmanager', alerts({}))).status).toBe(200);
    expect(stored.map(({ payload }) => payload.dnpName)).toEqual(['a.dnp', 'a.dnp']);
  });

  it('alerts of its packages are taken', async () => {
    const { post, stored } = await start({ sender });
    await post('alertmanager', alerts({ dnpName: 'b.dnp' }));
    expect(stored[0]!.payload.dnpName).toBe('b.dnp');
  });

  it('a body with an alert of another package is refused whole', async () => {
    const { post, calls } = await start({ sender });
    expect((await post('alertmanager', alerts({ dnpName: 'c.dnp' }))).status).toBe(403);
    expect((await post('gatus', fillAsGatus(GATUS_BODY))).status).toBe(403);
    expect(calls).toEqual([]);
  });
});
