import { mkdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { asRole, call, PLUGIN_ID, startTestConsole } from './console.testing.ts';

const PAGE = `/a/${PLUGIN_ID}/inbox`;
const start = () => startTestConsole('http://127.0.0.1:9');

interface BootData {
  user: Record<string, unknown>;
  navTree: Array<{ children: Array<{ text: string }> }>;
}

function bootDataOf(html: string) {
  return JSON.parse(/grafanaBootData = (.*);/.exec(html)![1]!) as BootData;
}

describe('the page', () => {
  test('contains the user, theme, language and the menu entries of the role', async () => {
    const { url } = await start();
    const cookie = 'nodebell_role=Viewer; nodebell_theme=light; nodebell_lang=de-DE';
    const data = bootDataOf((await call(url, PAGE, { headers: { cookie } })).body);
    expect(data.user).toMatchObject({ orgRole: 'Viewer', theme: 'light', lightTheme: true, language: 'de-DE' });
    expect(data.navTree[0]).toMatchObject({ text: 'Nodebell', url: `/a/${PLUGIN_ID}` });
    expect(data.navTree[0]?.children.map(({ text }) => text)).toContain('Inbox');
  });

  test('defaults to an admin and the dark theme', async () => {
    const { url } = await start();
    expect(bootDataOf((await call(url, PAGE)).body).user).toMatchObject({
      orgRole: 'Admin',
      theme: 'dark',
      language: 'en-US',
    });
  });

  test('role and theme are stored in cookies and removed from the URL', async () => {
    const { url } = await start();
    const { status, headers } = await call(url, `${PAGE}?theme=light&q=disk+full&role=Editor`);
    expect([status, headers.location]).toEqual([302, `${PAGE}?q=disk+full`]);
    expect(headers['set-cookie']?.map((cookie) => cookie.split(';')[0])).toEqual([
      'nodebell_role=Editor',
      'nodebell_theme=light',
    ]);
  });

  test('ignores an unknown role', async () => {
    const { url } = await start();
    expect((await call(url, `${PAGE}?role=Root`)).status).toBe(200);
    expect(bootDataOf((await call(url, PAGE, { headers: asRole('Root') })).body).user.orgRole).toBe('Admin');
  });

  test('does not contain the secret', async () => {
    const { url } = await start();
    expect((await call(url, PAGE)).body).not.toContain('"secret"');
  });
});

describe('the app’s settings', () => {
  const SETTINGS = `/api/plugins/${PLUGIN_ID}/settings`;

  test('return jsonData and which secrets are set, never their values', async () => {
    const { url } = await start();
    const { body } = await call(url, SETTINGS, { headers: asRole('Viewer') });
    expect(JSON.parse(body)).toMatchObject({
      enabled: true,
      jsonData: { bridgeUrl: 'http://127.0.0.1:9' },
      secureJsonFields: { bridgeToken: true },
    });
    expect(body).not.toContain('secureJsonData');
    expect(body).not.toContain('"secret"');
  });

  test('an admin replaces jsonData; secrets that are not sent stay', async () => {
    const { url, settings } = await start();
    const body = JSON.stringify({ jsonData: { bridgeUrl: 'http://bridge:8080' } });
    expect((await call(url, SETTINGS, { method: 'POST', body })).status).toBe(200);
    expect(settings.jsonData).toEqual({ bridgeUrl: 'http://bridge:8080' });
    expect(settings.secureJsonData).toEqual({ bridgeToken: 'secret' });
  });

  test('an editor may not change them', async () => {
    const { url, settings } = await start();
    const answer = await call(url, SETTINGS, { method: 'POST', body: '{"enabled":false}', headers: asRole('Editor') });
    expect([answer.status, settings.enabled]).toEqual([403, true]);
  });
});

describe('invalid requests', () => {
  const SETTINGS = `/api/plugins/${PLUGIN_ID}/settings`;

  test.each(['/public/%zz', '/public/host/%ff', '/public/plugins/%'])('%s is a 400', async (address) => {
    const { url } = await start();
    expect((await call(url, address)).status).toBe(400);
  });

  test.each([
    ['no JSON', '{', 400],
    ['no object', 'null', 400],
    ['more than 1 MiB', JSON.stringify({ jsonData: { bridgeUrl: 'x'.repeat(1024 * 1024) } }), 413],
  ])('settings that are %s change nothing', async (_what, body, status) => {
    const { url, settings } = await start();
    const answer = await call(url, SETTINGS, { method: 'POST', body });
    expect([answer.status, settings.jsonData]).toEqual([status, { bridgeUrl: 'http://127.0.0.1:9' }]);
  });
});

describe('other sites', () => {
  test.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['no origin at all', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a foreign name that points here', { host: 'evil.example' }],
  ])('%s is rejected', async (_, headers) => {
    const { url } = await start();
    expect((await call(url, PAGE, { headers })).status).toBe(403);
  });

  test('localhost is allowed', async () => {
    const { url } = await start();
    const host = `localhost:${new URL(url).port}`;
    expect((await call(url, PAGE, { headers: { host, origin: `http://${host}` } })).status).toBe(200);
  });
});

describe('files', () => {
  test.each(['inter/Inter-Regular.woff2', 'inter/Inter-Medium.woff2', 'roboto/L0xTDF4xlVMF-BfR8bXMIhJHg45m.woff2'])(
    'the typeface %s is there',
    async (name) => {
      const { url } = await start();
      expect(await call(url, `/public/fonts/${name}`)).toMatchObject({ status: 200 });
    }
  );

  test('missing icons are replaced, existing ones come from the library', async () => {
    const { url } = await start();
    const missing = await call(url, '/public/build/img/icons/unicons/no-such-icon.svg');
    expect([missing.status, missing.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    const own = await call(url, '/public/build/img/icons/unicons/bell.svg');
    expect(own.body).not.toBe(missing.body);
  });

  test.each([
    '/public/plugins/other-app/package.json',
    `/public/plugins/${PLUGIN_ID}/..%2Fpackage.json`,
    `/public/plugins/${PLUGIN_ID}/%2e%2e/%2e%2e/etc/passwd`,
    '/public/host/..%2F..%2Fpackage.json',
    '/public/fonts/..%2Finter',
    '/public/elsewhere',
  ])('%s is not found', async (address) => {
    const { url } = await start();
    expect((await call(url, address)).status).toBe(404);
  });

  test('a nested panel has its own path; one that is not built affects no other file', async () => {
    const pluginDir = temporaryFolder();
    const includes = ['gone', 'links'].map((name) => ({ type: 'panel', name, path: `panels/${name}/plugin.json` }));
    await writeFile(path.join(pluginDir, 'plugin.json'), JSON.stringify({ id: PLUGIN_ID, includes, routes: [] }));
    await mkdir(path.join(pluginDir, 'panels', 'links'), { recursive: true });
    await writeFile(path.join(pluginDir, 'panels', 'links', 'plugin.json'), '{"id":"nodebell-links-panel"}');
    await writeFile(path.join(pluginDir, 'panels', 'links', 'module.js'), 'define([])');
    const { url } = await startTestConsole('http://127.0.0.1:9', { pluginDir });
    expect(await call(url, '/public/plugins/nodebell-links-panel/module.js')).toMatchObject({
      status: 200,
      body: 'define([])',
    });
    expect((await call(url, '/public/plugins/nodebell-gone-panel/module.js')).status).toBe(404);
    expect((await call(url, `/public/plugins/${PLUGIN_ID}/plugin.json`)).status).toBe(200);
  });

  test('names a plugin that is not built', async () => {
    const { url } = await startTestConsole('http://127.0.0.1:9', { pluginDir: '/nowhere' });
    const { status, body } = await call(url, PAGE);
    expect(status).toBe(500);
    expect(body).toContain('is the plugin built?');
  });
});

test('a port in use is a startup error', async () => {
  const blocker = http.createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  const { port } = blocker.address() as { port: number };
  await expect(startTestConsole('http://127.0.0.1:9', { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  blocker.close();
});
