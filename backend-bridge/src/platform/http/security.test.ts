import { describe, expect, test } from 'vitest';
import { rawPath, sendRaw, startServer } from './httpServer.testing.ts';
import { joinSegments, pathGuard, sameSiteOnly, securityHeaders } from './security.ts';

const start = () =>
  startServer((app) => {
    app.use(pathGuard(), securityHeaders(), sameSiteOnly());
    app.put('/api/v1/notifications/*id/seen', (req, res) => void res.json({ id: joinSegments(req.params.id) }));
    app.put('/api/v1/categories/*id', (req, res) => void res.json({ id: joinSegments(req.params.id) }));
    app.all('/api/v1/notifications/:id', (req, res) => void res.json({ id: req.params.id }));
  });

describe('headers', () => {
  test('of every response, including problem documents', async () => {
    const { url } = await start();
    for (const path of ['/api/v1/notifications/1', '/nothing']) {
      const { headers } = await fetch(url + path, { headers: { origin: 'http://evil.example' } });
      expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
    }
  });

  test('CORS is closed: no origin is ever allowed, not even before a request', async () => {
    const { url } = await start();
    const preflight = {
      origin: 'http://evil.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    };
    for (const [method, headers] of [
      ['OPTIONS', preflight],
      ['GET', { origin: 'http://evil.example' }],
      ['GET', { origin: 'null' }],
    ] as const) {
      const response = await fetch(`${url}/api/v1/notifications/1`, { method, headers });
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('pages of other sites', () => {
  test.each(['cross-site', 'same-site'])('%s may not change anything', async (site) => {
    const { url } = await start();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(
        (await fetch(`${url}/api/v1/notifications/1`, { method, headers: { 'sec-fetch-site': site } })).status
      ).toBe(403);
    }
    expect((await fetch(`${url}/api/v1/notifications/1`, { headers: { 'sec-fetch-site': site } })).status).toBe(200);
  });

  test.each([{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])('%j may', async (headers) => {
    const { url } = await start();
    expect((await fetch(`${url}/api/v1/notifications/1`, { method: 'POST', headers })).status).toBe(200);
  });

  // Without HTTPS browsers send no Sec-Fetch-Site.
  test.each([
    ['http://evil.example', 'node.lan:8080', 403],
    ['http://node.lan', 'node.lan:8080', 403],
    ['http://evil.node.lan:8080', 'node.lan:8080', 403],
    ['null', 'node.lan:8080', 403],
    ['http://node.lan:8080', 'node.lan:8080', 200],
    ['http://node.lan', 'NODE.lan:80', 200],
    ['https://node.lan', 'node.lan', 200],
  ])('a change from Origin %s to Host %s: %i', async (origin, host, status) => {
    const { port } = await start();
    const send = async (method: string, headers: string) =>
      (
        await sendRaw(
          port,
          `${method} /api/v1/notifications/1 HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\n${headers}Connection: close\r\n\r\n`
        )
      ).split(' ')[1];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await send(method, '')).toBe(`${status}`);
    }
    expect(await send('GET', '')).toBe('200');
    expect(await send('POST', 'Sec-Fetch-Site: same-origin\r\n')).toBe('200');
    // A page cannot send these without a preflight, which the bridge never allows. A proxy that forwards Origin can.
    expect(await send('POST', 'Authorization: Bearer token\r\n')).toBe('200');
    expect(await send('POST', 'Authorization: Grafana action="inbox:write", token="token"\r\n')).toBe('200');
    // Browsers add these by themselves.
    expect(await send('POST', 'Authorization: Basic dXNlcjpwYXNzd29yZA==\r\n')).toBe(`${status}`);
  });
});

describe('paths', () => {
  test.each([
    ['/api/v1/notifications/../x', '"." or ".."'],
    ['/api/v1/notifications/..', '"." or ".."'],
    ['/api/v1/./notifications/1', '"." or ".."'],
    ['/api/v1/notifications/%2e%2e/x', '"." or ".."'],
    ['/api/v1/notifications/.%2E/x', '"." or ".."'],
    ['/api/v1/notifications/%2e', '"." or ".."'],
    ['/api/v1/notifications/..%2fx', '"." or ".."'],
    ['/api/v1/notifications/x%2F..%2Fy/seen', '"." or ".."'],
    ['/api/v1/notifications/..%5cx', '"." or ".."'],
    ['/api/v1/categories/../notifications', '"." or ".."'],
    ['/api/v1/notifications/a%2Fb', 'an encoded slash'],
    ['/api/v1%2fnotifications/1', 'an encoded slash'],
    ['/api/v1/notifications/a\\b', 'a back slash'],
    ['/api/v1/notifications/a%5Cb', 'a back slash'],
    ['/api/v1/notifications/a%00b', 'a control character'],
    ['/api/v1/notifications/a%0d%0ab', 'a control character'],
    ['/api/v1/notifications/a%7Fb', 'a control character'],
  ])('%s is a 400', async (path, found) => {
    const { port } = await start();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body } = await rawPath(port, path, method);
      expect({ path, status }).toEqual({ path, status: 400 });
      expect(body).toMatchObject({
        type: '/api/v1/problems/malformed',
        errors: [{ pointer: 'path', found: expect.stringContaining(found) as unknown }],
      });
    }
  });

  test.each([
    // The encodings of DAppNode's own client and of Grafana's proxy.
    ['/api/v1/notifications/core-disk/seen', 'core-disk'],
    ['/api/v1/notifications/a/b/seen', 'a/b'],
    ['/api/v1/notifications/a%2Fb/seen', 'a/b'],
    ['/api/v1/notifications/a%20b%25/seen', 'a b%'],
    ['/api/v1/notifications/seen/seen', 'seen'],
    ['/api/v1/categories/a/b', 'a/b'],
    ['/api/v1/categories/a%2fb', 'a/b'],
    ['/api/v1/categories/caf%C3%A9', 'café'],
    ['/api/v1/categories/..x', '..x'],
    ['/api/v1/categories/x.y.', 'x.y.'],
    ['/api/v1/notifications/dms.dnp.dappnode.eth', 'dms.dnp.dappnode.eth'],
    ['/api/v1/notifications/1?q=../%2F%00', '1'],
  ])('%s is understood', async (path, id) => {
    const { port } = await start();
    expect(await rawPath(port, path, 'PUT')).toEqual({ status: 200, body: { id } });
  });
});
