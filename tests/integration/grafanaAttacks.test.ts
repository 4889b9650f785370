/** Attempts to impersonate a user or bypass a route: rejected, and logged without secrets. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from '../../standalone/server/console.ts';
import type { Identity } from '../../standalone/server/identity.ts';
import { createSigner } from '../../standalone/server/signedIdentity.ts';
import { type Answer, asRole, call, PROXY, startUpstream } from '../../standalone/server/console.testing.ts';
import { ADMIN_TOKEN, startTestBridge, type TestBridge } from './accessBridge.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const VIEWER: Identity = { id: 3, login: 'viewer', name: 'Viewer', role: 'Viewer', anonymous: false, granted: [] };
const JSON_BODY = { 'content-type': 'application/json' };

/** URLs of the keys, and of the stand-in's upstream: each needs the URL of the other. */
let keys: RunningConsole;
let bridge: TestBridge;
/** A Grafana that signs no identities, so that X-Grafana-Id of a client is not replaced. */
let host: RunningConsole;
/** A Grafana that signs identities. */
let signing: RunningConsole;
let logged: string;

beforeAll(async () => {
  const grafana = { port: 0, bridgeToken: ADMIN_TOKEN, pluginDir: ROOT };
  keys = await startConsole({ ...grafana, bridgeUrl: 'http://127.0.0.1:9' });
  const env = { NODEBELL_AUTH: 'token', NODEBELL_GRAFANA_URL: keys.url };
  bridge = await startTestBridge(env, undefined, afterAll);
  keys.settings.jsonData.bridgeUrl = bridge.url;
  signing = keys;
  host = await startConsole({ ...grafana, bridgeUrl: bridge.url, signsIds: false });
  logged = '';
});
afterAll(async () => {
  await host.close();
  await keys.close();
});

/** Log entries since the last call. */
function news(): string {
  const all = bridge.log();
  const fresh = all.slice(logged.length);
  logged = all;
  return fresh;
}

afterEach(() => {
  expect(bridge.log()).not.toContain(ADMIN_TOKEN);
});

const LIST = `${PROXY}/api/v1/notifications`;
const detailOf = ({ body }: Answer) => (JSON.parse(body) as { detail?: string }).detail ?? '';

/** A token that Grafana signed for a user, captured in transit. */
async function stolen(who: string): Promise<string> {
  const seen: string[] = [];
  const upstream = await startUpstream((request, response) => {
    seen.push(String(request.headers['x-grafana-id']));
    response.end('{}');
  });
  signing.settings.jsonData.bridgeUrl = upstream.url;
  await call(signing.url, LIST, { headers: asRole(who) });
  signing.settings.jsonData.bridgeUrl = bridge.url;
  return seen[0]!;
}

describe('X-Grafana-Context', () => {
  test('of a client is overwritten', async () => {
    const headers = { ...asRole('Viewer'), ...fromGrafana('root', { OrgRole: 'Admin' }), ...JSON_BODY };
    const answer = await call(host.url, `${PROXY}/api/v1/packages/x.eth`, { method: 'PATCH', headers, body: '{}' });
    expect(answer.status).toBe(403);
    await call(host.url, `${PROXY}/api/v1/notifications/7`, { method: 'PATCH', headers, body: '{"x":1}' });
    expect(news()).toContain('"person":"org:1/user:user-3"');
  });

  test("is ignored without the bridge's token", async () => {
    const forged = fromGrafana('root', { OrgRole: 'Admin' });
    for (const authorization of [undefined, 'Bearer x', 'Grafana action="bridge:admin", token="guessed-by-somebody"']) {
      const headers = { ...forged, ...(authorization !== undefined && { authorization }) };
      expect((await call(bridge.url, '/api/v1/status', { headers })).status).toBe(403);
    }
    const lines = news();
    expect(lines.match(/"status":403/g)).toHaveLength(3);
    expect(lines).not.toMatch(/guessed-by-somebody|root/);
  });

  test.each([
    'X-Grafana-Context',
    'Authorization',
    'x-grafana-context, authorization',
    'X-Grafana-Context,X-Grafana-Id',
  ])('cannot be removed, and neither can the headers sent with it: Connection: %s', async (connection) => {
    const headers = { ...asRole('Viewer'), ...JSON_BODY, connection };
    const answer = await call(host.url, `${PROXY}/api/v1/notifications/7`, { method: 'PATCH', headers, body: '{}' });
    expect(answer.status).toBe(403);
    expect(detailOf(answer)).toMatch(/without a user|requires the admin token/);
  });
});

describe('X-Grafana-Id', () => {
  const ask = (token: string, who = 'Viewer') =>
    call(host.url, LIST, { headers: { ...asRole(who), 'x-grafana-id': token } });

  test('signed by Grafana is accepted for the same user', async () => {
    expect((await call(signing.url, LIST, { headers: asRole('Viewer') })).status).toBe(200);
    expect((await call(signing.url, LIST, { headers: asRole('Anonymous') })).status).toBe(200);
    expect((await ask(await stolen('Viewer'))).status).toBe(200);
  });

  test.each<[string, () => Promise<string> | string, string]>([
    [
      'of another signer',
      () => createSigner('http://localhost:3000/').sign(VIEWER, Date.now()),
      'not signed with a key',
    ],
    ['of somebody else', () => stolen('Admin'), 'different users'],
    ['of one who has not signed in', () => stolen('Anonymous'), 'different users'],
    ['that is no token', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyOjMifQ.', 'not one that Grafana signs'],
    [
      'that was changed',
      async () => (await stolen('Viewer')).replace(/\.[^.]+\./, '.eyJzdWIiOiJ1c2VyOjEifQ.'),
      'signature',
    ],
  ])('%s is rejected and logged without the token', async (_what, forge, why) => {
    const token = await forge();
    news();
    const answer = await ask(token);
    expect(answer.status).toBe(403);
    expect(detailOf(answer)).toContain(why);
    const lines = news();
    expect(lines).toContain(why);
    expect(lines).not.toContain(token);
    expect(lines).not.toContain(token.split('.')[1]);
  });

  test('an expired one is rejected', async () => {
    const set = JSON.parse((await call(keys.url, '/api/signing-keys/keys')).body) as JSONWebKeySet;
    const token = await stolen('Viewer');
    const { payload } = await jwtVerify(token, createLocalJWKSet(set));
    expect(payload.exp! - payload.iat!).toBe(600);
    const later = await startTestBridge(
      { NODEBELL_AUTH: 'token', NODEBELL_GRAFANA_URL: keys.url },
      undefined,
      undefined,
      () => Date.now() + 631_000
    );
    const straight = { authorization: `Grafana action="inbox:read", token="${ADMIN_TOKEN}"`, 'x-grafana-id': token };
    const context = fromGrafana('viewer', { UserID: 3, UserUID: 'user-3', OrgRole: 'Viewer' });
    const answer = await call(later.url, '/api/v1/notifications', { headers: { ...straight, ...context } });
    expect([answer.status, detailOf(answer)]).toEqual([403, expect.stringContaining('has expired')]);
  });

  test('is required for users if configured, but not for scripts', async () => {
    const env = { NODEBELL_AUTH: 'token', NODEBELL_GRAFANA_URL: keys.url, NODEBELL_REQUIRE_GRAFANA_ID: 'true' };
    const strict = await startTestBridge(env);
    const script = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect((await call(strict.url, '/api/v1/status', { headers: script })).status).toBe(200);
    const before = [host.settings.jsonData.bridgeUrl, signing.settings.jsonData.bridgeUrl];
    host.settings.jsonData.bridgeUrl = strict.url;
    signing.settings.jsonData.bridgeUrl = strict.url;
    const unsigned = await call(host.url, LIST, { headers: asRole('Admin') });
    const signed = await call(signing.url, LIST, { headers: asRole('Admin') });
    [host.settings.jsonData.bridgeUrl, signing.settings.jsonData.bridgeUrl] = before;
    expect([unsigned.status, detailOf(unsigned)]).toEqual([403, expect.stringContaining('did not sign')]);
    expect(signed.status).toBe(200);
  });

  test("if Grafana's keys cannot be loaded, the context alone is used, unless a signed identity is required", async () => {
    const headers = { ...asRole('Viewer'), 'x-grafana-id': await stolen('Viewer') };
    for (const [required, status] of [
      ['false', 200],
      ['true', 403],
    ] as const) {
      const env = { NODEBELL_GRAFANA_URL: 'http://127.0.0.1:9', NODEBELL_REQUIRE_GRAFANA_ID: required };
      const alone = await startTestBridge(env);
      host.settings.jsonData.bridgeUrl = alone.url;
      const answer = await call(host.url, LIST, { headers });
      host.settings.jsonData.bridgeUrl = bridge.url;
      expect(answer.status, required).toBe(status);
      expect(alone.log()).toContain("could not read Grafana's signing keys");
    }
  });
});

describe('paths and methods', () => {
  const plugin = JSON.parse(readFileSync(path.join(ROOT, 'plugin.json'), 'utf8')) as { routes: { path: string }[] };

  test('a token in the URL is rejected and not logged', async () => {
    news();
    const answer = await call(host.url, `${LIST}?bridgeToken=${ADMIN_TOKEN}`, { headers: asRole('Admin') });
    expect([answer.status, detailOf(answer)]).toEqual([403, expect.stringContaining('must not be part of the URL')]);
    expect(news()).toContain('"status":403');
  });

  const wide = plugin.routes.filter(({ path: at }) => at.endsWith('/*')).map(({ path: at }) => at.slice(0, -1));
  const aims = ['tokens', 'status', 'backups/x.eth', '..%2F..%2Fmetrics'];
  const ways = aims.flatMap((aim) => [
    `..%2F${aim}`,
    `%2e%2e%2F${aim}`,
    `x%2F..%2F..%2F${aim}`,
    `..%5C${aim}`,
    `.%2F..%2F${aim}`,
  ]);

  test('dot segments do not lead from a wildcard to another operation', async () => {
    const through: string[] = [];
    for (const below of new Set(wide)) {
      for (const way of ways) {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          const headers = { ...asRole('Viewer'), ...JSON_BODY };
          const answer = await call(host.url, `${PROXY}/${below}${way}`, {
            method,
            headers,
            ...(method !== 'GET' && { body: '{}' }),
          });
          if (![400, 403, 404, 405].includes(answer.status)) {
            through.push(`${method} ${below}${way}: ${answer.status}`);
          }
        }
      }
    }
    expect(through).toEqual([]);
  });

  test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])('%s is ignored', async (name) => {
    const headers = { ...asRole('Viewer'), ...JSON_BODY, [name]: 'DELETE' };
    const sent = { authorization: `Bearer ${ADMIN_TOKEN}`, ...JSON_BODY };
    const body = '{"title":"t","body":"b"}';
    await call(bridge.url, '/api/v1/notifications', { method: 'POST', headers: sent, body });
    const before = await call(host.url, LIST, { headers });
    const one = `${LIST}/${(JSON.parse(before.body) as { id: number }[])[0]!.id}`;
    expect((await call(host.url, `${one}?_method=DELETE`, { headers })).status).toBe(200);
    const seen = await call(host.url, one, { method: 'PATCH', headers, body: '{"seen":true}' });
    expect(seen.status).toBe(200);
    expect((await call(host.url, one, { headers })).status).toBe(200);
  });

  test('a route reached by a path that only the bridge parses differently is rejected by its action', async () => {
    // Grafana lets a Viewer read below packages; the path is that of another operation in a different case.
    const headers = {
      ...fromGrafana('viewer', { OrgRole: 'Viewer' }),
      authorization: `Grafana action="packages:read", token="${ADMIN_TOKEN}"`,
    };
    const answer = await call(bridge.url, '/api/v1/PACKAGE-FILES/x.eth/', { headers });
    expect([answer.status, detailOf(answer)]).toEqual([
      403,
      expect.stringContaining('requires the action packages:write'),
    ]);
  });
});
