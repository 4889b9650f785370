import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, ask, newFolder, startTestBridge, type TestBridge } from './accessBridge.testing.ts';
import { PAYLOAD } from './accessRoutes.testing.ts';

describe('sender tokens', () => {
  let bridge: TestBridge;
  const admin = (method: string, route: string, body?: unknown) =>
    ask(bridge.url, method, route, { token: ADMIN_TOKEN, body });

  test('are created, listed without the token, used and revoked; they survive a restart', async () => {
    const dataDir = newFolder();
    bridge = await startTestBridge({ NODEBELL_AUTH: 'token' }, dataDir);
    const created = await admin('POST', '/api/v1/tokens', { name: ' backup ', packages: ['a.eth'] });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/v1/tokens/${created.body.id}`);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.body).toMatchObject({ name: 'backup', packages: ['a.eth'], lastUsedAt: null, revokedAt: null });
    const { id, token } = created.body;
    expect((await admin('GET', '/api/v1/tokens')).body).toEqual([{ ...created.body, token: undefined }]);

    const sent = await ask(bridge.url, 'POST', '/api/v1/notifications', { token, body: PAYLOAD });
    expect([sent.status, sent.body.dnpName]).toEqual([201, 'a.eth']);

    await bridge.close();
    bridge = await startTestBridge({ NODEBELL_AUTH: 'token' }, dataDir);
    const [listed] = (await admin('GET', '/api/v1/tokens')).body;
    expect(listed).toMatchObject({
      id,
      name: 'backup',
      packages: ['a.eth'],
      lastUsedAt: expect.stringMatching(/Z$/),
      revokedAt: null,
    });
    expect((await ask(bridge.url, 'POST', '/api/v1/notifications', { token, body: PAYLOAD })).status).toBe(201);

    const revoked = await admin('DELETE', `/api/v1/tokens/${id}`);
    expect([revoked.status, revoked.body.revokedAt]).toEqual([200, expect.stringMatching(/Z$/)]);
    expect((await ask(bridge.url, 'POST', '/api/v1/notifications', { token, body: PAYLOAD })).status).toBe(403);
    await bridge.close();
    bridge = await startTestBridge({ NODEBELL_AUTH: 'token' }, dataDir);
    expect((await ask(bridge.url, 'POST', '/api/v1/notifications', { token, body: PAYLOAD })).body.detail).toContain(
      'revoked'
    );
    expect((await admin('DELETE', `/api/v1/tokens/${id}`)).body.revokedAt).toBe(revoked.body.revokedAt);
    expect((await admin('DELETE', '/api/v1/tokens/nothing')).status).toBe(404);
  });

  test('restricted to packages: sends for others are rejected and not stored', async () => {
    bridge = await startTestBridge();
    const { token } = (await admin('POST', '/api/v1/tokens', { name: 'x', packages: ['a.eth', 'b.eth'] })).body;
    const send = (dnpName?: string) =>
      ask(bridge.url, 'POST', '/api/v1/notifications', { token, body: { ...PAYLOAD, dnpName } });
    expect((await send('b.eth')).body.dnpName).toBe('b.eth');
    expect((await send()).body.dnpName).toBe('a.eth');
    const refused = await send('c.eth');
    expect(refused.status).toBe(403);
    expect(refused.body.errors).toMatchObject([{ pointer: '/dnpName', found: '"c.eth"', allowed: '"a.eth", "b.eth"' }]);
    expect((await admin('GET', '/api/v1/notifications')).body).toHaveLength(2);
  });

  test.each([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ name: 1 }, '/name'],
    [{ name: 'a\u0000b' }, '/name'],
    [{ name: 'x', packages: 'a.eth' }, '/packages'],
    [{ name: 'x', packages: [''] }, '/packages/0'],
    [{ name: 'x', packages: Array(101).fill('a') }, '/packages'],
    [{ name: 'x', token: 'mine' }, '/token'],
    [[], '#'],
  ])('%j is an invalid request', async (body, pointer) => {
    bridge = await startTestBridge();
    const answer = await admin('POST', '/api/v1/tokens', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toMatchObject({ pointer, found: expect.any(String), allowed: expect.any(String) });
    expect((await admin('GET', '/api/v1/tokens')).body).toEqual([]);
  });
});

describe('the admin token', () => {
  test('is generated and stored if none is configured', async () => {
    const { url, dataDir, log } = await startTestBridge({ NODEBELL_ADMIN_TOKEN: '' });
    const file = path.join(dataDir, 'admin-token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const token = readFileSync(file, 'utf8').trim();
    expect((await ask(url, 'GET', '/api/v1/notifications', { token })).status).toBe(200);
    expect(log()).not.toContain(token);
  });
});
