import type http from 'node:http';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import net from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PluginRole, ProxyRoute } from './pluginJson.ts';
import { asRole, call, PLUGIN_ID, PROXY, startTestConsole, startUpstream } from './console.testing.ts';

const open: ProxyRoute[] = [{ path: 'x/*', url: '{{ .JsonData.bridgeUrl }}' }];
const sink = 'http://127.0.0.1:9';

async function arrange(answer?: http.RequestListener, routes?: ProxyRoute[]) {
  const upstream = await startUpstream(answer);
  const host = await startTestConsole(upstream.url, routes ? { routes } : {});
  return { upstream, host };
}

describe('access', () => {
  test.each([
    ['Viewer', 'GET', '/api/v1/notifications', 200],
    ['Viewer', 'GET', '/healthz', 200],
    ['Viewer', 'PUT', '/api/v1/notifications/seen', 200],
    ['Viewer', 'PATCH', '/api/v1/notifications/7', 200],
    ['Viewer', 'POST', '/api/v1/notifications', 403],
    ['Viewer', 'POST', '/api/v1/notifications/delete', 403],
    ['Viewer', 'DELETE', '/api/v1/notifications/7', 403],
    ['Viewer', 'PUT', '/api/v1/categories/hardware', 403],
    ['Editor', 'POST', '/api/v1/notifications', 200],
    ['Editor', 'DELETE', '/api/v1/notifications/7', 200],
    ['Editor', 'PUT', '/api/v1/categories/hardware', 200],
    ['Admin', 'POST', '/api/v1/notifications/restore', 200],
    ['Admin', 'PATCH', '/api/v1/categories/hardware', 404],
    ['Admin', 'GET', '/metrics', 404],
    ['Admin', 'POST', '/api/v1/admin-token/rotate', 404],
    ['Viewer', 'GET', '/api/v1/tokens%2F', 404],
    ['Anonymous', 'GET', '/api/v1/notifications', 200],
    ['Anonymous', 'DELETE', '/api/v1/notifications/7', 403],
    ['Viewer with inbox:write', 'DELETE', '/api/v1/notifications/7', 200],
    ['Viewer with inbox:write', 'DELETE', '/api/v1/packages/x', 403],
    ['Editor with bridge:admin', 'GET', '/api/v1/status', 200],
  ])('%s: %s %s returns %i', async (who, method, path, status) => {
    const { upstream, host } = await arrange();
    const [role = '', granted] = who.split(' with ');
    const answer = await call(host.url, PROXY + path, { method, headers: asRole(role, granted) });
    expect(answer.status).toBe(status);
    expect(upstream.received).toHaveLength(status === 200 ? 1 : 0);
  });

  test('a route with an action ignores its role; the roles of the plugin grant the action', async () => {
    const action = `${PLUGIN_ID}.x:write`;
    const roles: PluginRole[] = [{ role: { name: 'X', permissions: [{ action }] }, grants: ['Editor'] }];
    const routes: ProxyRoute[] = [{ ...open[0]!, reqAction: action, reqRole: 'Viewer' }];
    const upstream = await startUpstream();
    const host = await startTestConsole(upstream.url, { routes, roles });
    const ask = async (role: string) => (await call(host.url, `${PROXY}/x/y`, { headers: asRole(role) })).status;
    expect([await ask('Viewer'), await ask('Editor'), await ask('Admin')]).toEqual([403, 200, 200]);
  });

  test('an action without a role is granted to no one', async () => {
    const routes: ProxyRoute[] = [{ ...open[0]!, reqAction: `${PLUGIN_ID}.x:write` }];
    const { host } = await arrange(undefined, routes);
    expect((await call(host.url, `${PROXY}/x/y`, { headers: asRole('Admin') })).status).toBe(403);
  });

  test('a route that denies access is final, even if a later one would allow it', async () => {
    const routes: ProxyRoute[] = [{ ...open[0]!, reqRole: 'Admin' }, ...open];
    const { upstream, host } = await arrange(undefined, routes);
    const answer = await call(host.url, `${PROXY}/x/y`, { headers: asRole('Editor') });
    expect([answer.status, answer.body]).toEqual([403, '{"message":"plugin proxy route access denied"}']);
    expect(upstream.received).toEqual([]);
  });

  test('a disabled app has no proxy', async () => {
    const { host } = await arrange();
    host.settings.enabled = false;
    expect((await call(host.url, `${PROXY}/healthz`)).status).toBe(404);
  });
});

describe('the path', () => {
  test('the part matched by the asterisk is appended to the route’s url, and the query is unchanged', async () => {
    const { upstream, host } = await arrange();
    await call(host.url, `${PROXY}/api/v1/notifications?category=a%20b&from=1&category=c+d`);
    expect(upstream.received[0]?.url).toBe('/api/v1/notifications?category=a%20b&from=1&category=c+d');
  });

  test('it is percent-decoded before it is joined: %2F becomes a slash and ..%2F reaches the bridge', async () => {
    const { upstream, host } = await arrange();
    await call(host.url, `${PROXY}/api/v1/notifications/pkg%2Ftest/seen`);
    await call(host.url, `${PROXY}/api/v1/notifications/..%2F..%2Fmetrics`);
    expect(upstream.received.map(({ url }) => url)).toEqual([
      '/api/v1/notifications/pkg/test/seen',
      '/api/v1/notifications/../../metrics',
    ]);
  });

  test('a query in the route’s url is dropped', async () => {
    const routes = [{ path: 'x/*', url: '{{ .JsonData.bridgeUrl }}/base?secret=1' }];
    const { upstream, host } = await arrange(undefined, routes);
    await call(host.url, `${PROXY}/x/y?z=2`);
    expect(upstream.received[0]?.url).toBe('/base/y?z=2');
  });
});

describe('the request’s headers', () => {
  test('credentials, cookies, Origin and forwarding headers of the client are removed', async () => {
    const { upstream, host } = await arrange(undefined, open);
    const { host: own } = new URL(host.url);
    const headers = {
      authorization: 'Bearer of-the-client',
      cookie: 'grafana_session=abc',
      origin: `http://${own}`,
      referer: `http://${own}/a/page`,
      'x-forwarded-host': 'h',
      'x-forwarded-port': '1',
      'x-forwarded-proto': 'https',
      'x-grafana-device-id': 'd',
      'x-grafana-user': 'root',
      connection: 'keep-alive',
      te: 'trailers',
      'x-kept': 'yes',
    };
    await call(host.url, `${PROXY}/x/y`, { headers });
    const seen = upstream.received[0]!.headers;
    for (const name of Object.keys(headers).filter((name) => !['connection', 'x-kept'].includes(name))) {
      expect(seen, name).not.toHaveProperty(name);
    }
    expect(seen['x-kept']).toBe('yes');
    expect(seen['x-grafana-referer']).toBe(headers.referer);
    expect(seen.host).toBe(new URL(upstream.url).host);
  });

  test('the route’s own Authorization is set from the secret', async () => {
    const { upstream, host } = await arrange();
    await call(host.url, `${PROXY}/healthz`, {
      headers: { authorization: 'Grafana action="bridge:admin", token="x"' },
    });
    expect(upstream.received[0]?.headers.authorization).toBe('Grafana action="inbox:read", token="secret"');
  });

  test('X-Forwarded-For is appended', async () => {
    const { upstream, host } = await arrange();
    await call(host.url, `${PROXY}/healthz`, { headers: { 'x-forwarded-for': '10.0.0.1' } });
    expect(upstream.received[0]?.headers['x-forwarded-for']).toBe('10.0.0.1, 127.0.0.1');
  });

  test('headers named in Connection are removed last, including those of Grafana and of the route', async () => {
    const { upstream, host } = await arrange();
    const ask = async (connection: string) => {
      await call(host.url, `${PROXY}/healthz`, { headers: { connection, 'x-other': '1' } });
      const { headers } = upstream.received.at(-1)!;
      return ['authorization', 'x-grafana-context', 'x-grafana-id', 'x-other'].filter((name) => name in headers);
    };
    expect(await ask('close')).toHaveLength(4);
    expect(await ask('X-Grafana-Context, x-grafana-id ,close')).toEqual(['authorization', 'x-other']);
    expect(await ask('Authorization')).not.toContain('authorization');
  });

  test('X-Grafana-Id is signed for the user; a client’s passes only if Grafana signs none', async () => {
    const forged = { 'x-grafana-id': 'forged', ...asRole('Viewer') };
    for (const signsIds of [true, false]) {
      const upstream = await startUpstream();
      const host = await startTestConsole(upstream.url, { signsIds });
      await call(host.url, `${PROXY}/healthz`, { headers: forged });
      const sent = String(upstream.received[0]?.headers['x-grafana-id']);
      if (!signsIds) {
        expect(sent).toBe('forged');
        continue;
      }
      const keys = JSON.parse((await call(host.url, '/api/signing-keys/keys')).body) as JSONWebKeySet;
      const { payload } = await jwtVerify(sent, createLocalJWKSet(keys), { algorithms: ['ES256'] });
      expect(payload).toMatchObject({ sub: 'user:3', aud: ['org:1'], role: 'Viewer', exp: payload.iat! + 600 });
    }
  });

  test('an anonymous user has no id and the role of visitors', async () => {
    const { upstream, host } = await arrange();
    await call(host.url, `${PROXY}/healthz`, { headers: asRole('Anonymous') });
    const context: unknown = JSON.parse(String(upstream.received[0]?.headers['x-grafana-context']));
    expect(context).toMatchObject({ UserID: 0, UserUID: '', OrgRole: 'Viewer', Login: '', IsAnonymous: true });
  });

  test('X-Grafana-Context identifies the user, whatever the client sends', async () => {
    const { upstream, host } = await arrange();
    const headers = { ...asRole('Viewer'), 'x-grafana-context': '{"OrgRole":"Admin"}' };
    await call(host.url, `${PROXY}/healthz`, { headers });
    const context = JSON.parse(String(upstream.received[0]?.headers['x-grafana-context']));
    expect(context).toMatchObject({ UserID: 3, OrgID: 1, OrgRole: 'Viewer', Login: 'viewer', IsAnonymous: false });
  });

  test('passes a body unchanged', async () => {
    const { upstream, host } = await arrange();
    const body = '{"title":"Größe ✓"}';
    await call(host.url, `${PROXY}/api/v1/notifications`, { method: 'POST', body });
    expect(upstream.received[0]?.body).toBe(body);
  });
});

describe('the response', () => {
  test('removes some headers and adds sandbox, Via and no-store', async () => {
    const { host } = await arrange((_, response) => {
      response.writeHead(201, {
        'Alt-Svc': 'h3',
        'Set-Cookie': 'a=b',
        Server: 's',
        'Strict-Transport-Security': 'max-age=1',
        'Cache-Control': 'public, max-age=60',
        'Content-Security-Policy': "default-src 'self'",
        Via: '1.1 other',
        'X-Kept': 'yes',
      });
      response.end();
    });
    const { status, headers } = await call(host.url, `${PROXY}/healthz`);
    expect(status).toBe(201);
    for (const name of ['alt-svc', 'set-cookie', 'server', 'strict-transport-security']) {
      expect(headers).not.toHaveProperty(name);
    }
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': 'sandbox',
      via: '1.1 grafana, 1.1 other',
      'x-kept': 'yes',
    });
  });

  test('a redirect is not followed', async () => {
    const { upstream, host } = await arrange((_, response) => response.writeHead(302, { Location: '/else' }).end());
    const { status, headers } = await call(host.url, `${PROXY}/healthz`);
    expect([status, headers.location]).toEqual([302, '/else']);
    expect(upstream.received).toHaveLength(1);
  });

  test('an unreachable bridge is a 502 without a body', async () => {
    const host = await startTestConsole(sink);
    expect(await call(host.url, `${PROXY}/healthz`)).toMatchObject({ status: 502, body: '' });
  });

  test('a connection timeout is a 504', async () => {
    // Accepts the connection, but never starts a TLS handshake.
    const silent = net.createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as net.AddressInfo;
    const host = await startTestConsole(`https://127.0.0.1:${port}`, { connectTimeoutMs: 50 });
    expect((await call(host.url, `${PROXY}/healthz`)).status).toBe(504);
  });

  test('a connection reset before the response is a 502', async () => {
    const { host } = await arrange((request) => request.socket.destroy());
    expect((await call(host.url, `${PROXY}/healthz`)).status).toBe(502);
  });
});

describe('an event stream', () => {
  test('each event reaches the browser when it is sent, and the bridge notices when the browser disconnects', async () => {
    const steps: string[] = [];
    let sendEvent: (text: string) => void = () => undefined;
    const { host } = await arrange((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.flushHeaders();
      sendEvent = (text) => response.write(`data: ${text}\n\n`);
      response.on('close', () => steps.push('closed'));
    });
    const abort = new AbortController();
    const response = await fetch(`${host.url}${PROXY}/api/v1/events`, { signal: abort.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const text of ['one', 'two']) {
      sendEvent(text);
      expect((await reader.read()).value).toBe(`data: ${text}\n\n`);
    }
    abort.abort();
    await expect.poll(() => steps, { timeout: 60_000 }).toEqual(['closed']);
  });
});
