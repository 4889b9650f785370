/** Provisioning files: packages, categories, senders; each file is applied as a whole or not at all. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually, Folder, manifest, Provisioned, TOKEN } from './provisioning.testing.ts';
import { expectProblem, TestBridge } from './support.ts';

const A = 'a.example.eth';
const B = 'b.example.eth';
const whole = `apiVersion: 1
packages:
  - manifest: a.json
categories:
  hardware: false
senders:
  - { name: backup, packages: [${A}], token: "\${BACKUP_TOKEN}" }
`;
const env = { BACKUP_TOKEN: TOKEN };

describe('at startup', () => {
  test('all objects of a file are applied before the bridge listens, and are provisioned', async () => {
    const folder = await Folder.make({
      'all.yaml': whole,
      'a.json': manifest(A),
      '.hidden.yaml': 'x',
      'notes.txt': 'x',
    });
    const running = await folder.start(env);
    expect(await running.packages()).toEqual([`${A} 1.0.0 all.yaml`]);
    expect(await running.category('hardware')).toMatchObject({ enabled: false, file: 'all.yaml' });
    expect(await running.send(TOKEN)).toBe(201);
    expect((await running.bridge.list())[0]).toMatchObject({ dnpName: A });
    expect(await running.send(TOKEN, { dnpName: B })).toBe(403);
    expect(await running.status()).toEqual({
      state: 'watching',
      files: [
        {
          file: 'all.yaml',
          state: 'applied',
          checkedAt: running.bridge.clock.iso,
          appliedAt: running.bridge.clock.iso,
          findings: [],
          packages: [A],
          categories: ['hardware'],
          senders: ['backup'],
          heartbeats: [],
          mappings: [],
        },
      ],
    });
  });

  test('they can be changed only in the file', async () => {
    const folder = await Folder.make({ 'all.yaml': whole, 'a.json': manifest(A) });
    const { bridge } = await folder.start(env);
    const [token] = await bridge.call<{ id: string; file: string }[]>('GET', '/api/v1/tokens');
    expect(token).toMatchObject({ name: 'backup', file: 'all.yaml' });
    for (const [method, route, body] of [
      ['PUT', '/api/v1/categories/hardware', { enabled: true }],
      ['DELETE', `/api/v1/tokens/${token!.id}`, undefined],
      ['DELETE', `/api/v1/packages/${A}`, undefined],
    ] as const) {
      expect(expectProblem(await bridge.request(method, route, body), 409).detail).toContain('all.yaml');
    }
  });

  test('tokens are not returned', async () => {
    const folder = await Folder.make({ 'all.yaml': whole, 'a.json': manifest(A) });
    const { bridge } = await folder.start(env);
    const answers = await Promise.all(
      ['tokens', 'provisioning', 'categories'].map((route) => bridge.call('GET', `/api/v1/${route}`))
    );
    expect(JSON.stringify(answers)).not.toContain(TOKEN);
  });

  test('without the setting no files are read, and provisioned objects remain', async () => {
    const folder = await Folder.make({ 'all.yaml': whole, 'a.json': manifest(A) });
    const { bridge } = await folder.start(env);
    await bridge.stop();
    const without = await TestBridge.start({ dataDir: bridge.dataDir });
    onTestFinished(() => without.dispose());
    const running = new Provisioned(without);
    expect(await running.packages()).toEqual([`${A} 1.0.0 all.yaml`]);
    expect(await running.status()).toMatchObject({
      state: 'off',
      files: [{ file: 'all.yaml', state: 'failed', packages: [A] }],
    });
  });
});

describe('a file with an error', () => {
  const broken = whole.replace('hardware: false', 'hardware: maybe').replace('a.json', 'gone.json');

  test('changes nothing, and all errors are reported with their positions', async () => {
    const folder = await Folder.make({ 'all.yaml': broken, 'a.json': manifest(A) });
    const running = await folder.start(env);
    expect(await running.packages()).toEqual([]);
    expect(await running.category('hardware')).toBeUndefined();
    expect(await running.send(TOKEN)).toBe(201);
    expect((await running.bridge.list())[0]).toMatchObject({ dnpName: 'unknown' });
    expect(await running.mistakes('all.yaml')).toEqual([
      'all.yaml:5:13 categories.hardware must be true or false; found maybe.',
    ]);
    await folder.write({ 'all.yaml': broken.replace('maybe', 'false') });
    await eventually(async () =>
      expect(await running.mistakes('all.yaml')).toEqual(['all.yaml:3:15 gone.json does not exist.'])
    );
  });

  test('leaves its previous content in effect, also after a restart', async () => {
    const folder = await Folder.make({ 'all.yaml': whole, 'a.json': manifest(A) });
    const running = await folder.start(env);
    await folder.write({ 'all.yaml': broken });
    const stillThere = async () => {
      expect(await running.file('all.yaml')).toMatchObject({ state: 'failed', packages: [A], senders: ['backup'] });
      expect(await running.packages()).toEqual([`${A} 1.0.0 all.yaml`]);
      expect((await running.category('hardware'))?.enabled).toBe(false);
      expect(await running.send(TOKEN)).toBe(201);
    };
    await eventually(stillThere);
    expect((await running.file('all.yaml'))?.appliedAt).not.toBeNull();
    await running.bridge.restart();
    await stillThere();
    expect((await running.file('all.yaml'))?.appliedAt).toBeNull();
    await folder.write({ 'all.yaml': whole.replace('hardware: false', 'hardware: true') });
    await eventually(async () => expect((await running.category('hardware'))?.enabled).toBe(true));
    await eventually(async () =>
      expect(await running.file('all.yaml')).toMatchObject({ state: 'applied', findings: [] })
    );
  });

  test('does not affect other files', async () => {
    const folder = await Folder.make({
      'a.yaml': 'apiVersion: 1\npackages: [{manifest: none.json}]',
      'b.yml': 'apiVersion: 1\npackages: [{manifest: b.json}]',
      'b.json': manifest(B),
    });
    const running = await folder.start();
    expect(await running.packages()).toEqual([`${B} 1.0.0 b.yml`]);
  });

  test('an error in a manifest is reported at its position', async () => {
    const folder = await Folder.make({
      'all.yaml': 'apiVersion: 1\npackages: [{path: pkg}]',
      'pkg/dappnode_package.json': manifest(A, '1.0'),
    });
    const running = await folder.start();
    expect(await running.mistakes('all.yaml')).toEqual([expect.stringMatching(/^pkg\/dappnode_package\.json:3:14 /)]);
    await folder.write({ 'pkg/dappnode_package.json': manifest(A, '1.0.1') });
    await eventually(async () => expect(await running.packages()).toEqual([`${A} 1.0.1 all.yaml`]));
  });
});

test('a disclaimer must be accepted in the file, which is recorded', async () => {
  const yaml = 'apiVersion: 1\npackages:\n  - manifest: a.json\n';
  const folder = await Folder.make({
    'all.yaml': yaml,
    'a.json': manifest(A, '1.0.0', { disclaimer: { message: 'Beware.' } }),
  });
  const running = await folder.start();
  expect(await running.mistakes('all.yaml')).toEqual([
    expect.stringMatching(/^all\.yaml:3:5 .*disclaimerAccepted: true/),
  ]);
  await folder.write({ 'all.yaml': `${yaml}    disclaimerAccepted: true\n` });
  await eventually(async () => expect(await running.packages()).toHaveLength(1));
  const { approval } = await running.bridge.call<{ approval: { text: string; by: string } }>(
    'GET',
    `/api/v1/packages/${A}`
  );
  expect(approval).toMatchObject({ text: 'Beware.', by: expect.stringContaining('all.yaml') as string });
});

describe('variants', () => {
  const files = {
    'p/dappnode_package.json': manifest(A),
    'p/package_variants/one/dappnode_package.json': JSON.stringify({ name: 'one.example.eth' }),
    'p/package_variants/two/dappnode_package.json': JSON.stringify({ name: 'two.example.eth' }),
  };
  test('are selected by name', async () => {
    const folder = await Folder.make({
      ...files,
      'all.yaml': 'apiVersion: 1\npackages:\n  - { path: p, variant: two }\n',
    });
    expect(await (await folder.start()).packages()).toEqual(['two.example.eth 1.0.0 all.yaml']);
  });
  test.each([
    ['{ path: p }', '3:13 p has several variants: add "variant"; it has one, two.'],
    ['{ path: p, variant: three }', '3:25 p has no variant three; it has one, two.'],
    ['{ path: none }', expect.stringMatching(/^3:13 none:/) as string],
  ])('%s is an error', async (entry, message) => {
    const folder = await Folder.make({ ...files, 'all.yaml': `apiVersion: 1\npackages:\n  - ${entry}\n` });
    const mistakes = await (await folder.start()).mistakes('all.yaml');
    expect(mistakes.map((line) => line.replace('all.yaml:', ''))).toEqual([message]);
  });
});

describe('two files', () => {
  const of = (file: string) => `apiVersion: 1\npackages: [{ manifest: ${file} }]\ncategories: { ${file}: false }\n`;
  test('cannot provision the same object: the second is an error that names the first', async () => {
    const folder = await Folder.make({ '1.yaml': of('a.json'), '2.yaml': of('a.json'), 'a.json': manifest(A) });
    const running = await folder.start();
    expect(await running.packages()).toEqual([`${A} 1.0.0 1.yaml`]);
    expect(await running.mistakes('2.yaml')).toEqual([
      expect.stringMatching(/^2\.yaml:2:12 The package a\.example\.eth is provisioned by 1\.yaml/),
      expect.stringMatching(/^2\.yaml:3:23 The category "a\.json" is provisioned by 1\.yaml/),
    ]);
    await folder.remove('1.yaml');
    await eventually(async () => expect(await running.packages()).toEqual([`${A} 1.0.0 2.yaml`]));
  });
  test('can move objects between them, in either order of their names', async () => {
    const files = { 'a.json': manifest(A), 'b.json': manifest(B) };
    const folder = await Folder.make({ '1.yaml': of('a.json'), '2.yaml': of('b.json'), ...files });
    const running = await folder.start();
    await writeFile(path.join(folder.dir, '2.yaml'), 'apiVersion: 1\n');
    await writeFile(path.join(folder.dir, '1.yaml'), of('b.json'));
    await eventually(async () => expect(await running.packages()).toEqual([`${B} 1.0.0 1.yaml`]));
    // Packages are applied before categories.
    await eventually(async () => expect((await running.file('1.yaml'))?.categories).toEqual(['b.json']));
  });
});

test('objects created by hand become provisioned', async () => {
  const folder = await Folder.make({ 'a.json': manifest(A, '2.0.0') });
  const running = await folder.start();
  await running.bridge.call('POST', '/api/v1/packages', { manifest: manifest(A) });
  await running.bridge.switchCategory('hardware', true);
  await folder.write({ 'all.yaml': 'apiVersion: 1\npackages: [{manifest: a.json}]\ncategories: {hardware: false}' });
  await eventually(async () => expect(await running.packages()).toEqual([`${A} 2.0.0 all.yaml`]));
  // Packages are applied before categories.
  await eventually(async () =>
    expect(await running.category('hardware')).toMatchObject({ enabled: false, file: 'all.yaml' })
  );
});

test('a missing folder in files is a warning', async () => {
  const yaml = 'apiVersion: 1\npackages:\n  - { manifest: a.json, files: none }\n';
  const folder = await Folder.make({ 'all.yaml': yaml, 'a.json': manifest(A) });
  const running = await folder.start();
  const { state, findings } = (await running.file('all.yaml'))!;
  expect(state).toBe('applied');
  expect(findings.map(({ verdict, rule, line }) => [verdict, rule, line])).toEqual([['warning', 'files-folder', 3]]);
});

test('a folder named like a file is an error', async () => {
  const folder = await Folder.make({ 'all.yaml/x': '' });
  const running = await folder.start();
  expect(await running.mistakes('all.yaml')).toEqual(['all.yaml:1:1 It is not a file.']);
});

test('a pipe, a socket or a device in the folder does not keep the bridge from starting', async () => {
  const yaml = 'apiVersion: 1\nsenders:\n  - { name: job, tokenFile: pipe }\n';
  const folder = await Folder.make({ 'b.yaml': yaml, 'c.yaml': 'apiVersion: 1\ncategories: { hardware: false }' });
  execFileSync('mkfifo', [path.join(folder.dir, 'a.yaml'), path.join(folder.dir, 'pipe')]);
  await symlink('/dev/zero', path.join(folder.dir, 'd.yaml'));
  const socket = createServer().listen(path.join(folder.dir, 'e.yaml'));
  onTestFinished(() => void socket.close());
  await once(socket, 'listening');
  const running = await folder.start();
  expect(await running.mistakes('a.yaml')).toEqual(['a.yaml:1:1 It is not a file.']);
  expect(await running.mistakes('b.yaml')).toEqual([expect.stringContaining('pipe is not a file.')]);
  expect(await running.mistakes('d.yaml')).toEqual(['d.yaml:1:1 It is not a file.']);
  expect(await running.mistakes('e.yaml')).toEqual(['e.yaml:1:1 It is not a file.']);
  // The other files are applied, and later changes are detected.
  expect(await running.category('hardware')).toMatchObject({ enabled: false });
  await folder.write({ 'c.yaml': 'apiVersion: 1\ncategories: { network: false }' });
  await eventually(async () => expect(await running.category('network')).toMatchObject({ enabled: false }));
});
