import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, manifestText } from './packageFolder.testing.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { kindOf, MANIFEST, readPackageFolder, refusal, textsToRegister } from './readPackageFolder.ts';

const COMPOSE = 'services:\n  web: {}\n';
const one = async (dir: string) => {
  const folders = await readPackageFolder(dir);
  expect(folders).toHaveLength(1);
  return folders[0]!;
};

describe('a package without variants', () => {
  test('its files are found by their names', async () => {
    const dir = folderWith({
      'dappnode_package.json': manifestText(),
      'notifications.yaml': 'endpoints: []\n',
      'docker-compose.yml': COMPOSE,
      'prometheus-targets.json': '[]',
      'b-grafana-dashboard.json': '{"b": 1}',
      'a-grafana-dashboard.json': '{"a": 1}',
      'README.md': 'x',
    });
    expect(await one(dir)).toEqual({
      dir,
      texts: { manifest: manifestText(), notifications: 'endpoints: []\n', compose: COMPOSE },
      sources: {
        manifest: [{ path: 'dappnode_package.json', text: manifestText() }],
        notifications: [{ path: 'notifications.yaml', text: 'endpoints: []\n' }],
        compose: [{ path: 'docker-compose.yml', text: COMPOSE }],
      },
      targets: { path: 'prometheus-targets.json', text: '[]' },
      dashboards: [
        { path: 'a-grafana-dashboard.json', text: '{"a": 1}' },
        { path: 'b-grafana-dashboard.json', text: '{"b": 1}' },
      ],
      problems: [],
    });
  });

  test.each(['notifications.yml', 'notifications.json', 'dms-notifications.yaml'])(
    '%s is one as well',
    async (name) => {
      const { texts } = await one(folderWith({ 'dappnode_package.json': manifestText(), [name]: 'x' }));
      expect(texts?.notifications).toBe('x');
    }
  );

  test('of several files the one with the shortest name is used', async () => {
    const files = { 'old-notifications.yaml': 'old', 'notifications.yaml': 'new', 'dappnode_package.json': '{}' };
    expect((await one(folderWith(files))).texts?.notifications).toBe('new');
  });

  test('without a manifest there are no texts and no problems', async () => {
    const folder = await one(folderWith({ 'docker-compose.yml': COMPOSE }));
    expect([folder.texts, folder.problems]).toEqual([undefined, []]);
  });
});

describe('variants', () => {
  const files = {
    'dappnode_package.json': manifestText({ links: { ui: 'http://a', api: 'http://b' } }),
    'docker-compose.yml': 'services:\n  web:\n    environment: [A=1]\n',
    'notifications.yaml': 'endpoints: [{name: root, url: http://a}]',
    'root-grafana-dashboard.json': '{}',
    'package_variants/main/dappnode_package.json': '{"name": "main.dnp.dappnode.eth", "links": {"api": "http://c"}}',
    'package_variants/main/docker-compose.yml': 'services:\n  web:\n    image: x\n  db: {}\n',
    'package_variants/main/test-notifications.yaml': 'endpoints: [{name: other}]',
    'package_variants/main/main-notifications.yaml': 'endpoints: [{name: main}]',
    'package_variants/main/main-grafana-dashboard.json': '{"main": 1}',
    'package_variants/test/dappnode_package.json': '{"name": "test.dnp.dappnode.eth"}',
    'package_variants/notes/README.md': 'not a variant',
  };

  test('are merged over the root', async () => {
    const [main, testnet, ...others] = await readPackageFolder(folderWith(files));
    expect([main?.variant, testnet?.variant, others]).toEqual(['main', 'test', []]);
    expect(JSON.parse(main?.texts?.manifest ?? '')).toMatchObject({
      name: 'main.dnp.dappnode.eth',
      license: 'MIT',
      links: { ui: 'http://a', api: 'http://c' },
    });
    expect(main?.texts?.notifications).toMatch(/name: main\n +url: http:\/\/a/);
    expect(main?.texts?.compose).toMatch(/- A=1[^]*image: x[^]*db:/);
    expect(main?.dashboards.map(({ path: name }) => name)).toEqual([
      'package_variants/main/main-grafana-dashboard.json',
    ]);
    expect(main?.sources.manifest.map(({ path: name }) => name)).toEqual([
      'dappnode_package.json',
      'package_variants/main/dappnode_package.json',
    ]);
    expect([testnet?.texts?.notifications, testnet?.dashboards.length]).toEqual([files['notifications.yaml'], 1]);
  });

  test('an invalid file is returned unmerged, so that it is rejected', async () => {
    const broken = { ...files, 'package_variants/main/dappnode_package.json': '{"name": ' };
    const [main] = await readPackageFolder(folderWith(broken));
    expect(main?.texts?.manifest).toBe('{"name": ');
    const [other] = await readPackageFolder(folderWith({ ...files, 'dappnode_package.json': '[]' }));
    expect(other?.texts?.manifest).toBe('[]');
  });
});

describe('unreadable files are reported', () => {
  test('a missing folder', async () => {
    expect((await one('/nowhere/at/all')).problems).toEqual([{ path: '', message: 'File not found.' }]);
  });

  test('links out of the folder, and within', async () => {
    const outside = folderWith({ 'secret.json': '{"secret": true}' });
    const dir = folderWith({ 'real.yaml': 'endpoints: []\n' });
    symlinkSync(path.join(outside, 'secret.json'), path.join(dir, 'dappnode_package.json'));
    symlinkSync('real.yaml', path.join(dir, 'notifications.yaml'));
    const { problems, sources } = await one(dir);
    expect(problems).toEqual([
      { path: 'dappnode_package.json', message: 'The symbolic link points outside of the folder.' },
    ]);
    expect(sources.notifications[0]?.text).toBe('endpoints: []\n');
  });

  test('variants behind a link out of the folder', async () => {
    const outside = folderWith({ 'main/dappnode_package.json': '{"secret": true}' });
    const dir = folderWith({ 'dappnode_package.json': manifestText() });
    symlinkSync(outside, path.join(dir, 'package_variants'));
    const [folder] = await readPackageFolder(dir);
    expect(folder?.problems).toEqual([
      {
        path: 'package_variants/main/dappnode_package.json',
        message: 'The symbolic link points outside of the folder.',
      },
    ]);
    expect(folder?.texts?.manifest).toBe(manifestText());
  });

  test('a folder, a pipe, a link to itself, a large file, other bytes', async () => {
    const dir = folderWith({
      'notifications.yaml': Buffer.from([0xff, 0xfe, 0x41]),
      'docker-compose.yml': 'x'.repeat(4 * 1024 * 1024 + 1),
    });
    mkdirSync(path.join(dir, 'dappnode_package.json'));
    execFileSync('mkfifo', [path.join(dir, 'prometheus-targets.json')]);
    symlinkSync('a-grafana-dashboard.json', path.join(dir, 'a-grafana-dashboard.json'));
    expect((await one(dir)).problems).toEqual([
      { path: 'dappnode_package.json', message: 'Not a regular file.' },
      { path: 'notifications.yaml', message: 'The file is not UTF-8 text.' },
      { path: 'docker-compose.yml', message: 'The file is larger than 4 MiB.' },
      { path: 'prometheus-targets.json', message: 'Not a regular file.' },
      { path: 'a-grafana-dashboard.json', message: 'Too many levels of symbolic links.' },
    ]);
  });

  test.each([
    ['EACCES', 'Permission denied.'],
    ['EIO', 'Cannot read the file (EIO).'],
  ])('%s has a message', (code, message) => expect(refusal(Object.assign(new Error('x'), { code }))).toBe(message));

  test('package_variants is a file', async () => {
    const dir = folderWith({ 'dappnode_package.json': '{}' });
    writeFileSync(path.join(dir, 'package_variants'), '');
    expect((await one(dir)).problems).toEqual([
      { path: 'package_variants', message: 'Part of the path is not a folder.' },
    ]);
  });
});

test.each([
  ['dappnode_package.json', 'manifest'],
  ['anything.json', 'manifest'],
  ['hoodi-notifications.yaml', 'notifications'],
  ['docker-compose.yml', 'compose'],
  ['compose.yaml', 'compose'],
])('%s is a %s file', (name, kind) => expect(kindOf(name)).toBe(kind));

describe('avatar.png', () => {
  const image = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const avatarOf = async (manifest: string): Promise<unknown> => {
    const dir = folderWith({ [MANIFEST]: manifest });
    writeFileSync(path.join(dir, 'avatar.png'), image);
    const text = textsToRegister(await one(dir))?.manifest;
    return (JSON.parse(text ?? '') as { avatar: unknown }).avatar;
  };
  const embedded = `data:image/png;base64,${image.toString('base64')}`;
  test('is embedded in the manifest that is registered', async () => {
    expect(await avatarOf('{"name":"a.eth"}')).toBe(embedded);
    expect(await avatarOf('{\n  "name": "a.eth"\n}\n')).toBe(embedded);
  });
  test('unless the manifest names an image', async () => {
    expect(await avatarOf('{"avatar":"/ipfs/x"}')).toBe('/ipfs/x');
    expect(await avatarOf('{"avatarUrl":"https://example.org/a.png"}')).toBeUndefined();
  });
  test('is not part of the text that is validated', async () => {
    const dir = folderWith({ [MANIFEST]: '{"name":"a.eth"}' });
    writeFileSync(path.join(dir, 'avatar.png'), image);
    expect((await one(dir)).texts?.manifest).toBe('{"name":"a.eth"}');
  });
  test('of the variant replaces that of the root; one that is too large is ignored', async () => {
    const dir = folderWith({
      [MANIFEST]: '{"name":"a.eth"}',
      'package_variants/x/dappnode_package.json': '{"version":"1.0.0"}',
    });
    writeFileSync(path.join(dir, 'avatar.png'), image);
    expect((await one(dir)).avatar).toEqual(image);
    writeFileSync(path.join(dir, 'package_variants/x/x-avatar.png'), 'other');
    expect((await one(dir)).avatar?.toString()).toBe('other');
    writeFileSync(path.join(dir, 'package_variants/x/x-avatar.png'), Buffer.alloc(LIMITS.iconBytes.value + 1));
    expect(await one(dir)).toMatchObject({ avatar: image, problems: [] });
  });
});
