/** `NODEBELL_COMPAT=dappnode`: who may read without a token, and the two further ports of DAppNode's notifier. */
import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { useDappnode } from './dappnode.testing.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { GETH, manifest, NOTIFICATIONS_YAML } from './packages.testing.ts';
import { CHANNEL, until, World } from './push.testing.ts';
import { expectProblem, type Json, type TestBridge } from './support.ts';

const { bridge, manager } = useDappnode();

describe('who may read without a token', () => {
  const status = (headers: Record<string, string>, path = '/api/v1/notifications', method = 'GET'): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, bridge().url), { method, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject).end();
    });
  it.each(['notifier.notifications.dappnode:8080', '127.0.0.1', '[::1]:8080', '172.33.1.7'])(
    'a client that calls the bridge %s',
    async (host) => {
      expect(await status({ host })).toBe(200);
    }
  );
  it.each(['evil.example', 'notifier.notifications.dappnode.evil.example', 'dappnode'])(
    'but none that calls it %s, as a rebound name would',
    async (host) => {
      expect(await status({ host })).toBe(403);
    }
  );
  it.each([
    ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-server', 'x-forwarded', 'forwarded', 'x-original-host'],
    ...['x-real-ip', 'cf-connecting-ip', 'cf-ray', 'true-client-ip', 'fastly-client-ip', 'x-cluster-client-ip'],
    ...['via', 'cdn-loop', 'x-envoy-external-address', 'x-amzn-trace-id', 'x-azure-clientip', 'x-grafana-context'],
  ])('none behind a proxy, which adds %s', async (header) => {
    expect(await status({ [header]: '203.0.113.7' })).toBe(403);
    expect(await status({ [header]: '203.0.113.7' }, '/api/v1/notifications/seen', 'PUT')).toBe(403);
  });
  it('none by a public address', async () => {
    expect(await status({ host: '203.0.113.7' })).toBe(403);
  });
  it('nothing but these calls: not details, deletion, packages or tokens', async () => {
    const { id } = await bridge().send();
    expect(await status({}, `/api/v1/notifications/${id}`)).toBe(403);
    expect(await status({}, `/api/v1/notifications/${id}`, 'DELETE')).toBe(403);
    expect(await status({}, '/api/v1/notifications/facets')).toBe(403);
    expect(await status({}, '/api/v1/packages')).toBe(403);
    expect(await status({}, '/api/v1/tokens')).toBe(403);
  });
  it.each(['cross-site', 'same-site'])('a page of another origin (%s) changes and reads nothing', async (site) => {
    const from = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    expect(await status(from, '/api/v1/notifications/seen', 'PUT')).toBe(403);
    expect(await status(from)).toBe(403);
    expect(await status(from, '/readyz')).toBe(403);
    const framed = { ...from, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect(await status(framed)).toBe(403);
  });
  it('a link of another page, and pages of this origin, can be followed', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(await status(link)).toBe(200);
    expect(await status({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(200);
    expect(await status(link, '/api/v1/notifications/seen', 'PUT')).toBe(403);
  });
  it('a client with a wrong token is refused, one with the admin token gets the ordinary API', async () => {
    expect(await status({ authorization: 'Bearer wrong-token-of-a-stranger' })).toBe(403);
    await bridge().send();
    expect((await bridge().list())[0]!.timestamp).toBe(bridge().clock.iso);
  });
});

describe('port 8081: devices', () => {
  const callOf = (bridge: TestBridge) => async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${bridge.compatPorts.devices}/api/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const at = (endpoint: string): string => `/subscriptions?endpoint=${encodeURIComponent(endpoint)}`;

  it('without a channel of type webpush: no key, no subscriptions, and a conflict', async () => {
    const call = callOf(bridge());
    expect(await call('GET', '/subscriptions')).toMatchObject({ status: 200, body: [] });
    expect(await call('GET', '/vapid/public-key')).toMatchObject({ status: 200, body: { publicKey: null } });
    const keys = { p256dh: 'x'.repeat(87), auth: 'y'.repeat(22) };
    const refused = await call('POST', '/subscriptions', { endpoint: 'https://push.example/1', keys, alias: 'Phone' });
    expect(expectProblem(refused, 409).detail).toBe('No channel of type webpush is configured.');
    expectProblem(await call('PUT', at('x'), { alias: 'Phone' }), 404);
    expectProblem(await call('DELETE', at('x')), 404);
  });

  it('a browser subscribes, is renamed, receives notifications and tests, and is removed', async () => {
    const compat = { managerUrl: 'http://127.0.0.1:9', devicesPort: 0, reloadPort: 0 };
    const world = await World.start(CHANNEL, { compat, allowedHosts: undefined });
    const call = callOf(world.running.bridge);
    const { publicKey } = (await call('GET', '/vapid/public-key')).body as { publicKey: string };
    const subscription = await world.service.subscribe('phone', publicKey);
    const { endpoint } = subscription;
    expectProblem(await call('POST', '/subscriptions', { ...subscription, alias: '' }), 400);
    expectProblem(await call('POST', '/subscriptions', { ...subscription, alias: 'Phone', keys: {} }), 400);
    const given = { ...subscription, expirationTime: null, alias: 'Phone' };
    expect(await call('POST', '/subscriptions', given)).toMatchObject({ status: 201 });
    expect((await call('GET', '/subscriptions')).body).toEqual([{ endpoint, alias: 'Phone' }]);
    expect((await call('PUT', at(endpoint), { alias: 'Tablet' })).status).toBe(200);
    expect((await call('GET', '/subscriptions')).body).toEqual([{ endpoint, alias: 'Tablet' }]);

    await world.send({ title: 'hot', priority: 'high' });
    await until(() => expect(world.shown('phone')).toEqual(['Important: hot']));
    const { tag } = world.service.accepted[0]!.payload as { tag: string };
    expect(world.service.accepted[0]!.payload).toMatchObject({ correlationId: tag });
    const notifications = `${world.running.bridge.url}/api/v1/notifications`;
    const test = await fetch(`${notifications}/test?endpoint=${encodeURIComponent(endpoint)}`, { method: 'POST' });
    expect(await test.json()).toEqual({ delivered: true });
    expect(world.shown('phone')).toEqual(['Important: hot', 'Test']);

    // Users in Grafana neither see nor change it.
    expect(await world.devices('dappnode')).toEqual([]);
    expect((await call('DELETE', at(endpoint))).status).toBe(200);
    expect((await call('GET', '/subscriptions')).body).toEqual([]);
  });
});

describe('port 8082: reload', () => {
  const reload = async () => {
    const url = `http://127.0.0.1:${bridge().compatPorts.reload}/api/v1/gatus/endpoints/reload`;
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' } });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const notifications = parse(NOTIFICATIONS_YAML);
  const install = (changes: Json = {}, notified: Json = notifications): void =>
    void manager.packages.set(GETH, manifest({ ...changes, notifications: notified }));
  const endpoints = (): Promise<Json> => bridge().call('GET', `/api/v1/packages/${GETH}/endpoints`);
  beforeEach(async () => {
    manager.packages.clear();
    manager.status = 200;
    await reload();
  });

  it('registers the packages of the node with their endpoints, updates and removes them', async () => {
    install();
    manager.packages.set('no-manifest.example.eth', {});
    expect(await reload()).toMatchObject({
      status: 200,
      body: { packages: 1, changed: [GETH], removed: [], rejected: [] },
    });
    expect(JSON.stringify(await endpoints())).toContain('geth-peers');
    expect((await reload()).body).toMatchObject({ changed: [], removed: [] });
    install({ version: '1.1.0' });
    expect((await reload()).body).toMatchObject({ changed: [GETH] });
    expect(await bridge().call('GET', `/api/v1/packages/${GETH}`)).toMatchObject({
      version: '1.1.0',
      registeredBy: 'DAppNode',
    });
    manager.packages.delete(GETH);
    expect((await reload()).body).toMatchObject({ removed: [GETH] });
    expect(await bridge().call('GET', '/api/v1/packages')).toEqual([]);
  });
  it('applies the switch and the threshold that its UI writes into the manifest', async () => {
    const withGatus = (changes: Json) => ({
      ...notifications,
      endpoints: [{ ...notifications.endpoints[0], ...changes }],
    });
    install();
    await reload();
    const gatus = async () =>
      ((await endpoints()).endpoints as Json[]).find(({ correlationId }) => correlationId === 'geth-peers');
    expect(await gatus()).toMatchObject({ enabled: { value: true }, threshold: { value: 10 } });
    install({}, withGatus({ enabled: false, conditions: ['[BODY].result >= 25'] }));
    await reload();
    expect(await gatus()).toMatchObject({ enabled: { value: false }, threshold: { value: 25 } });
    install({}, withGatus({ enabled: true, conditions: ['[BODY].result >= 30'] }));
    await reload();
    expect(await gatus()).toMatchObject({ enabled: { value: true }, threshold: { value: 30 } });
    await bridge().call('PATCH', `/api/v1/packages/${GETH}/endpoints/geth-peers`, { threshold: 12 });
    install({}, withGatus({ conditions: ['[BODY].result >= 40'] }));
    await reload();
    expect(await gatus()).toMatchObject({ threshold: { value: 12, shipped: 40 } });
  });
  it.each(['ada', 'DAppNode'])('keeps a package that %s registered here, and names what it rejects', async (login) => {
    const own = { manifest: manifest({ name: 'own.example.eth' }) };
    await bridge().request('POST', '/api/v1/packages', own, fromGrafana(login, { OrgRole: 'Admin' }));
    manager.packages.set(GETH, manifest({ version: 'not a version' }));
    const { body } = await reload();
    expect(body.rejected).toMatchObject([{ dnpName: GETH, reason: expect.stringMatching(/version/) }]);
    expect((await bridge().call<Json[]>('GET', '/api/v1/packages')).map(({ dnpName }: Json) => dnpName)).toEqual([
      'own.example.eth',
    ]);
    await bridge().call('DELETE', '/api/v1/packages/own.example.eth');
  });
  it('keeps a package while its containers are recreated', async () => {
    install();
    await reload();
    manager.unlisted.add(GETH);
    expect((await reload()).body).toMatchObject({ removed: [] });
    manager.unlisted.clear();
  });
  it('syncs the others when one manifest cannot be read, and keeps that package', async () => {
    install();
    await reload();
    manager.broken.add(GETH);
    manager.packages.set('other.example.eth', manifest({ name: 'other.example.eth' }));
    manager.packages.set('alias.example.eth', manifest({ name: 'another.example.eth' }));
    expect((await reload()).body).toMatchObject({
      changed: ['other.example.eth'],
      removed: [],
      rejected: [
        { dnpName: GETH, reason: 'The server of the manifest responded with status 500.' },
        { dnpName: 'alias.example.eth', reason: 'The manifest of alias.example.eth has another name.' },
      ],
    });
    manager.broken.clear();
  });
  it('is refused behind a proxy', async () => {
    const url = `http://127.0.0.1:${bridge().compatPorts.reload}/api/v1/gatus/endpoints/reload`;
    expect((await fetch(url, { method: 'POST', headers: { 'X-Forwarded-For': '203.0.113.7' } })).status).toBe(403);
  });
  it('changes nothing while the manager fails', async () => {
    install();
    await reload();
    manager.status = 500;
    expectProblem(await reload(), 502);
    expect(await bridge().call('GET', '/api/v1/packages')).toHaveLength(1);
  });
  it('two reloads at once end with the newest state', async () => {
    const first = reload();
    install();
    await Promise.all([first, reload(), reload()]);
    expect(await bridge().call('GET', '/api/v1/packages')).toHaveLength(1);
  });
});
