/** `nodebell package`: warnings are shown first, and nothing is changed without confirmation. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { type Ran, run } from '../../backend-bridge/src/cli/cliWorld.testing.ts';
import {
  COMPOSE_YAML,
  GETH,
  manifest,
  type ManifestJson,
  NOTIFICATIONS_YAML,
  PACKAGES,
  register,
} from './packages.testing.ts';
import { Folder } from './provisioning.testing.ts';
import { type TestBridge, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(async () => {
  for (const { dnpName } of await bridge().call<{ dnpName: string }[]>('GET', PACKAGES)) {
    await bridge().call('DELETE', `${PACKAGES}/${dnpName}`);
  }
});

function nodebell(args: string[], to: TestBridge = bridge()): Promise<Ran> {
  return run(['package', ...args, '--url', to.url], {
    env: { NODEBELL_ADMIN_TOKEN: to.authorization.Authorization!.replace('Bearer ', '') },
    fetch: globalThis.fetch,
  });
}

function folder(changes: ManifestJson = {}, more: Record<string, string> = {}): string {
  const dir = temporaryFolder();
  const files = { 'dappnode_package.json': JSON.stringify(manifest(changes), null, 2), ...more };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

const version = async (): Promise<string | undefined> =>
  (await bridge().call<{ dnpName: string; version: string }[]>('GET', PACKAGES)).find(({ dnpName }) => dnpName === GETH)
    ?.version;

describe('add', () => {
  test('registers all files of a folder', async () => {
    const dir = folder({}, { 'notifications.yaml': NOTIFICATIONS_YAML, 'docker-compose.yml': COMPOSE_YAML });
    expect(await nodebell(['add', dir])).toEqual({
      code: 0,
      out: `registered ${GETH} 1.0.0\n`,
      err: `${GETH} 1.0.0\n`,
    });
    expect(await bridge().call('GET', `${PACKAGES}/${GETH}`)).toMatchObject({
      endpoints: 2,
      facts: { services: ['geth', 'proxy'] },
    });
  });

  test('accepts a manifest with its files in the same folder, and one of several variants', async () => {
    const dir = folder({}, { 'n.yaml': NOTIFICATIONS_YAML });
    const file = path.join(dir, 'dappnode_package.json');
    const { code, out } = await nodebell(['add', file, '--notifications', path.join(dir, 'n.yaml'), '--json']);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { dnpName: GETH, version: '1.0.0', change: { kind: 'install', to: '1.0.0' } },
    ]);
    const variants = folder(
      {},
      {
        'package_variants/one/dappnode_package.json': '{ "name": "one.example.eth" }',
        'package_variants/two/dappnode_package.json': '{ "name": "two.example.eth" }',
      }
    );
    expect(await nodebell(['add', variants])).toMatchObject({
      code: 2,
      err: expect.stringContaining('has several variants. Set --variant to one of one, two.') as unknown,
    });
    expect((await nodebell(['add', variants, '--variant', 'two'])).out).toBe('registered two.example.eth 1.0.0\n');
  });

  test('shows the warning first, and requires --yes', async () => {
    const dir = folder({ warnings: { onInstall: 'Needs room:\n1.3 TB.', onUpdate: 'Not now.' } });
    const asked = await nodebell(['add', dir]);
    const warning = `${GETH} 1.0.0\n\nWarning before installation:\n  Needs room:\n  1.3 TB.\n`;
    expect(asked).toEqual({
      code: 1,
      out: '',
      err: `${warning}\nNothing was changed. Add --yes to confirm.\n`,
    });
    expect(await version()).toBeUndefined();
    expect(await nodebell(['add', dir, '--yes'])).toEqual({ code: 0, out: `registered ${GETH} 1.0.0\n`, err: warning });
  });

  test('a disclaimer requires its own flag, and is not requested again once accepted', async () => {
    const disclaimer = { message: 'At your own risk.' };
    const dir = folder({ disclaimer, warnings: { onInstall: 'Careful.' } });
    expect((await nodebell(['add', dir])).err).toMatch(
      /Disclaimer:\n {2}At your own risk\.\n[^]*Add --yes and --accept-disclaimer to confirm\./
    );
    expect(await nodebell(['add', dir, '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Add --accept-disclaimer to confirm.') as unknown,
    });
    expect((await nodebell(['add', dir, '--yes', '--accept-disclaimer'])).code).toBe(0);
    expect(await bridge().call('GET', `${PACKAGES}/${GETH}`)).toMatchObject({ approval: { text: disclaimer.message } });
    const next = await nodebell(['update', folder({ disclaimer, version: '1.0.1' })]);
    expect(next).toEqual({ code: 0, out: `updated ${GETH} 1.0.1\n`, err: `${GETH} 1.0.0 → 1.0.1 (patch)\n` });
  });

  test('reports what the package lacks, and what is not sent', async () => {
    const dir = folder(
      { dependencies: { 'dms.example.eth': '^1.0.0' } },
      { 'prometheus-targets.json': '[]', 'x-grafana-dashboard.json': '{}' }
    );
    expect((await nodebell(['add', dir])).err).toBe(`${GETH} 1.0.0
  Requires dms.example.eth ^1.0.0, which is not registered.
  Not sent (used by provisioning only): x-grafana-dashboard.json, prometheus-targets.json.
`);
  });

  test('files with errors are not sent; each error has a position', async () => {
    const { code, out, err } = await nodebell(['add', folder({ version: 'one' })]);
    expect([code, out, err]).toEqual([
      1,
      '',
      expect.stringMatching(/dappnode_package\.json\n {2}3:14 +error[^]*Nothing was changed\.\n$/),
    ]);
  });

  test('conflicts with registered packages are reported by the bridge', async () => {
    await register(bridge());
    const library = { name: 'lib.example.eth', type: 'library', dependencies: { [GETH]: '*' } };
    const { code, err } = await nodebell(['add', '--dialect', 'spec', folder(library)]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^nodebell: the bridge rejected the package:\n {2}.*geth\.example\.eth/),
    ]);
  });

  test('suggests update for a registered package; reports that an identical one is unchanged', async () => {
    await nodebell(['add', folder()]);
    expect(await nodebell(['add', folder({ version: '1.1.0' })])).toMatchObject({
      code: 1,
      err: `nodebell: ${GETH} is already registered in version 1.0.0. Use "nodebell package update".\n`,
    });
    expect(await nodebell(['add', folder()])).toEqual({
      code: 0,
      out: `${GETH} is up to date\n`,
      err: '',
    });
  });
});

describe('update', () => {
  test('shows update alerts and the warning first, and requires --yes', async () => {
    await register(bridge());
    const dir = folder({
      version: '2.0.0',
      warnings: { onInstall: 'Room?', onUpdate: 'Offline.' },
      updateAlerts: [{ from: '<2.0.0', message: 'Converted.' }],
    });
    const warning = `${GETH} 1.0.0 → 2.0.0 (major)\n\nUpdate alert:\n  Converted.\n\nWarning before updates:\n  Offline.\n`;
    const { code, err } = await nodebell(['update', dir]);
    expect([code, err]).toEqual([1, `${warning}\nNothing was changed. Add --yes to confirm.\n`]);
    expect(await version()).toBe('1.0.0');
    expect(await nodebell(['update', dir, '-y'])).toEqual({ code: 0, out: `updated ${GETH} 2.0.0\n`, err: warning });
    expect(await version()).toBe('2.0.0');
  });

  test('a downgrade, or other files of the same version, require a flag', async () => {
    await register(bridge(), { version: '2.0.0' });
    const older = await nodebell(['update', folder()]);
    expect([older.code, older.err]).toEqual([
      1,
      `nodebell: ${GETH} 2.0.0 → 1.0.0 is a downgrade. Add --allow-downgrade to continue.\n`,
    ]);
    expect(await version()).toBe('2.0.0');
    expect((await nodebell(['update', folder(), '--allow-downgrade'])).code).toBe(0);
    const other = await nodebell(['update', folder({ license: 'MIT' })]);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('1.0.0 is registered with other files')]);
    expect((await nodebell(['update', folder({ license: 'MIT' }), '--allow-downgrade'])).code).toBe(0);
  });

  test('suggests add for an unregistered package', async () => {
    expect(await nodebell(['update', folder()])).toMatchObject({
      code: 1,
      err: `nodebell: ${GETH} is not registered. Use "nodebell package add".\n`,
    });
  });
});

describe('remove', () => {
  test('shows the warning first, and requires --yes', async () => {
    await register(bridge(), { warnings: { onRemove: 'All is lost.' } });
    const warning = `${GETH} 1.0.0\n\nWarning before removal:\n  All is lost.\n`;
    expect(await nodebell(['remove', GETH])).toEqual({
      code: 1,
      out: '',
      err: `${warning}\nNothing was changed. Add --yes to confirm.\n`,
    });
    expect(await version()).toBe('1.0.0');
    expect(await nodebell(['remove', GETH, '--yes'])).toEqual({
      code: 0,
      out: `removed ${GETH} 1.0.0\n`,
      err: warning,
    });
    expect(await version()).toBeUndefined();
  });

  test('needs no confirmation without a warning; an unregistered package is rejected', async () => {
    await register(bridge());
    expect(await nodebell(['remove', GETH])).toEqual({ code: 0, out: `removed ${GETH} 1.0.0\n`, err: '' });
    expect(await nodebell(['remove', GETH])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not registered') as unknown,
    });
  });
});

test('provisioned packages cannot be changed', async () => {
  const { bridge: provisioned } = await (
    await Folder.make({
      'all.yaml': 'apiVersion: 1\npackages: [{ manifest: a.json }]\n',
      'a.json': JSON.stringify(manifest({ warnings: { onRemove: 'All is lost.' } })),
    })
  ).start();
  expect(await nodebell(['remove', GETH], provisioned)).toEqual({
    code: 1,
    out: '',
    err: `nodebell: ${GETH} is provisioned from all.yaml. Remove it from that file.\n`,
  });
  const { code, err } = await nodebell(['update', folder({ version: '1.1.0' })], provisioned);
  expect([code, err]).toEqual([1, expect.stringContaining('is provisioned from the file "all.yaml"')]);
});

test('list shows all packages, as a table or as JSON', async () => {
  expect(await nodebell(['list'])).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('No packages') as unknown,
  });
  await register(bridge(), { dependencies: { 'dms.example.eth': '*' } }, { notifications: NOTIFICATIONS_YAML });
  expect((await nodebell(['list'])).out).toBe(`NAME              VERSION  TYPE     ENDPOINTS  MISSING     SOURCE
${GETH}  1.0.0    service  2          1 required  API
`);
  expect(JSON.parse((await nodebell(['list', '--json'])).out)).toMatchObject([{ dnpName: GETH }]);
});

test.each([
  [['add', '/nowhere'], 'cannot read /nowhere (ENOENT).'],
  [['add', tmpdir(), '--compose', 'x'], '--notifications and --compose cannot be used with a folder'],
  [['add', import.meta.filename, '--variant', 'x'], '--variant requires a folder'],
  [['add', import.meta.filename, '--compose', '/nowhere'], '/nowhere does not exist.'],
  [['add'], "missing required argument 'path'"],
])('%j is rejected', async (args, message) => {
  const { code, out, err } = await nodebell(args);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
});
