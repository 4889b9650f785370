import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from './support/axe.ts';
import { expect, test as base } from './support/test.ts';
import { ConfigPage } from './views/config.ts';

/** Starts a server in place of the bridge; closed after the test. */
const test = base.extend<{ listen: (handler: RequestListener) => Promise<string>; config: ConfigPage }>({
  listen: async ({}, use) => {
    const servers: Array<ReturnType<typeof createServer>> = [];
    await use(async (handler) => {
      const server = createServer(handler);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
  config: async ({ page }, use) => use(new ConfigPage(page)),
});

const STATUS = {
  version: '0.1.0',
  startedAt: '2026-01-01T00:00:00.000Z',
  auth: 'token',
  webhookSecret: true,
  storeWritable: true,
  database: 'sqlite',
  pages: 0,
};
const withStatus = (change: object): RequestListener => {
  return (_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ ...STATUS, time: new Date().toISOString(), ...change }));
  };
};

for (const theme of ['dark', 'light'] as const) {
  test(
    `a running bridge: all checks pass and its health is shown, ${theme}`,
    { tag: theme === 'dark' ? '@hosts' : [] },
    async ({ page, bridge, config }) => {
      await bridge.send();
      await config.open({ theme });
      await expect(config.result).toContainText('Connected');
      expect(await config.states()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
      await expect(config.health).toContainText('OK');
      await expect(config.health).toContainText('Senders: none');
      await expect(page.getByRole('region', { name: 'Shell command' })).toContainText(
        `curl -X POST '${bridge.url}/api/v1/notifications'`
      );
      await expect(page.getByRole('region', { name: 'Contact point', exact: true })).toContainText(
        `url: ${bridge.url}/api/v1/webhooks/grafana`
      );
      await expectAccessible(page);
    }
  );
}

test('each cause of failure has its own title and checks', async ({ console: { settings }, config, listen }) => {
  const cases: Array<[url: string, title: string, states: string[]]> = [
    ['http://nobody.invalid:8080', 'Could not resolve nobody.invalid', ['failed', 'not-reached', 'not-reached']],
    ['http://127.0.0.1:1', 'Connection refused by 127.0.0.1:1', ['ok', 'failed', 'not-reached']],
    [
      await listen(withStatus({ version: '9.1.0' })),
      'Version mismatch: bridge 9.1.0, plugin 0.1.0',
      ['ok', 'ok', 'ok', 'failed'],
    ],
    [
      await listen((_, response) => response.writeHead(404).end('<html>')),
      'is not a Nodebell bridge',
      ['ok', 'ok', 'unknown'],
    ],
    [
      await listen(withStatus({ time: new Date(Date.now() - 10 * 60_000).toISOString() })),
      'the clocks are out of sync',
      ['ok', 'ok', 'ok', 'ok', 'warned'],
    ],
    [
      await listen(withStatus({ storeWritable: false })),
      'cannot write to its database',
      ['ok', 'ok', 'ok', 'ok', 'ok'],
    ],
    [await listen((request) => request.socket.destroy()), 'Connection reset by', ['ok', 'failed']],
  ];
  for (const [url, title, states] of cases) {
    settings.jsonData = { bridgeUrl: url };
    await config.open();
    await expect(config.result).toContainText(title);
    expect((await config.states()).slice(0, states.length)).toEqual(states);
  }
});

test('a wrong token, no token and a disabled app', async ({ console: { settings }, config }) => {
  settings.secureJsonData = { bridgeToken: 'wrong' };
  await config.open();
  await expect(config.result).toContainText('the bridge rejected the token');
  settings.secureJsonData = {};
  await config.open();
  await expect(config.result).toContainText('no token configured');
  settings.enabled = false;
  await config.open();
  await expect(config.result).toContainText('The app is disabled');
});

test('a request without a response times out', async ({ page, console: { settings }, config, listen }) => {
  settings.jsonData = { bridgeUrl: await listen(() => undefined) };
  await page.clock.install();
  await config.open();
  await expect(page.getByRole('button', { name: 'Testing…' })).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(config.result).toContainText('timed out');
  expect((await config.states()).slice(0, 2)).toEqual(['ok', 'failed']);
});

test('without the contact point test API, the cause is unknown', async ({ page, console: { settings }, config }) => {
  settings.jsonData = { bridgeUrl: 'http://nobody.invalid:8080' };
  await page.route('**/receivers/**', (route) => route.fulfill({ status: 404, json: { message: 'Not found' } }));
  await config.open();
  await expect(config.result).toContainText('Grafana could not connect to nobody.invalid:8080');
  expect((await config.states())[0]).toBe('unknown');
});

test('uses the contact point test API of Grafana 12.4', async ({ page, console: { settings }, config }) => {
  settings.jsonData = { bridgeUrl: 'http://nobody.invalid:8080' };
  await page.route('**/apis/**', (route) => route.fulfill({ status: 404, json: { message: 'Not found' } }));
  await page.route('**/api/alertmanager/grafana/config/api/v1/receivers/test', (route) => {
    const config = {
      name: 'nodebell',
      uid: '',
      status: 'failed',
      error: 'dial tcp 10.0.0.9:8080: connect: connection refused',
    };
    return route.fulfill({
      status: 207,
      json: { receivers: [{ name: 'nodebell', grafana_managed_receiver_configs: [config] }] },
    });
  });
  await config.open();
  await expect(config.result).toContainText('Connection refused by nobody.invalid:8080');
  await expect(config.result).toContainText('nobody.invalid resolves to 10.0.0.9');
});

test(
  'saves URL and token, never shows the token again, and the pages work immediately',
  { tag: '@hosts' },
  async ({ page, frame, bridge, console: { settings }, config }) => {
    settings.jsonData = {};
    settings.secureJsonData = {};
    await frame.open();
    await expect(page.getByText('The Nodebell bridge is not configured')).toBeVisible();
    await frame.menu.getByRole('link', { name: 'Configuration' }).click();
    await expect(config.test).toBeDisabled();
    await config.address.fill('bridge:8080');
    await config.save.click();
    await expect(page.getByRole('alert')).toContainText('starts with http://');
    expect(settings.jsonData).toEqual({});
    await config.address.fill(`${bridge.url}/`);
    await config.token.fill(bridge.token);
    await config.save.click();
    await expect(config.result).toContainText('Connected');
    expect(settings.jsonData).toEqual({ bridgeUrl: bridge.url });
    expect(settings.secureJsonData).toEqual({ bridgeToken: bridge.token });
    await expect(config.token).toHaveValue('configured');
    await config.address.fill(`${bridge.url}/elsewhere`);
    await config.save.click();
    await expect(config.result).toContainText('The bridge is older than the plugin');
    expect(settings.secureJsonData).toEqual({ bridgeToken: bridge.token });
    await config.address.fill(bridge.url);
    await config.save.click();
    await expect(config.result).toContainText('Connected');
    expect(await page.content()).not.toContain(bridge.token);
    await bridge.send({ title: 'Hello' });
    await frame.menu.getByRole('link', { name: 'Inbox' }).click();
    await expect(page.getByText('Hello').first()).toBeVisible();
  }
);

test('requires the Admin role', async ({ page, frame }) => {
  await frame.open('inbox', { role: 'Editor' });
  await expect(frame.menu.getByRole('link', { name: 'Configuration' })).toHaveCount(0);
  await page.goto('/plugins/nodebell-notifications-app');
  await expect(page.getByRole('alert')).toContainText('permission');
  expect((await page.request.get('/api/plugin-proxy/nodebell-notifications-app/api/v1/status')).status()).toBe(403);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('nothing overflows', async ({ page, frame, config, console: { settings } }) => {
    settings.jsonData = { bridgeUrl: `http://${'a-very-long-name.'.repeat(6)}invalid:8080` };
    await config.open();
    await expect(config.result).toContainText('Could not resolve');
    await expect.poll(() => frame.overflow()).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });
});
