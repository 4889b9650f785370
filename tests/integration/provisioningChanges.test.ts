/** Changes of the folder, while the bridge is running or stopped: renamed, linked, removed and new files and folders. */
import { appendFile, mkdir, rename, rm, symlink, writeFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuditPage } from '../../backend-bridge/contract/audit.ts';
import { watchFiles } from '../../backend-bridge/src/provisioning/watch.ts';
import { AUDIT } from './audit.testing.ts';
import { eventually, Folder, manifest, TOKEN } from './provisioning.testing.ts';

const A = 'a.example.eth';
const B = 'b.example.eth';
const SECRET = `senders: [{ name: s, token: ${TOKEN} }]`;
const file = (name: string, more = '') => `apiVersion: 1\npackages: [{ manifest: ${name}.json }]\n${more}\n`;
const both = { 'a.yaml': file('a', SECRET), 'b.yaml': file('b'), 'a.json': manifest(A), 'b.json': manifest(B) };
const inUse = [`${A} 1.0.0 a.yaml`, `${B} 1.0.0 b.yaml`];

describe('while the bridge runs', () => {
  test('a file that is written in place, in parts', async () => {
    const folder = await Folder.make({ 'a.json': manifest(A), 'b.json': manifest(B) });
    const running = await folder.start();
    await writeFile(path.join(folder.dir, 'x.yaml'), 'apiVersion: 1\n');
    await appendFile(path.join(folder.dir, 'x.yaml'), 'packages:\n  - manifest: a.json\n');
    await eventually(async () => expect(await running.packages()).toEqual([`${A} 1.0.0 x.yaml`]));
    await appendFile(path.join(folder.dir, 'x.yaml'), '  - manifest: b.json\n');
    await eventually(async () => expect(await running.packages()).toHaveLength(2));
  });

  test('a manifest that is repeatedly replaced by renaming', async () => {
    const folder = await Folder.make({
      'all.yaml': 'apiVersion: 1\npackages: [{ path: p, variant: v }]',
      'p/dappnode_package.json': manifest(A),
      'p/package_variants/v/dappnode_package.json': '{}',
    });
    const running = await folder.start();
    for (const version of ['1.0.1', '1.0.2', '2.0.0', '1.5.0']) {
      await folder.write({ 'p/dappnode_package.json': manifest(A, version) });
      await eventually(async () => expect(await running.packages()).toEqual([`${A} ${version} all.yaml`]));
    }
    await folder.write({ 'p/package_variants/v/dappnode_package.json': '{ "version": "3.0.0" }' });
    await eventually(async () => expect(await running.packages()).toEqual([`${A} 3.0.0 all.yaml`]));
  });

  test('a file that is removed and created again', async () => {
    const folder = await Folder.make(both);
    const running = await folder.start();
    expect(await running.packages()).toEqual(inUse);
    await folder.remove('a.yaml');
    await eventually(async () => expect(await running.packages()).toEqual(inUse.slice(1)));
    // Packages are removed first.
    await eventually(async () => expect(await running.send(TOKEN)).toBe(403));
    await eventually(async () => expect((await running.status()).files.map((one) => one.file)).toEqual(['b.yaml']));
    await folder.write({ 'a.yaml': both['a.yaml'] });
    await eventually(async () => expect(await running.send(TOKEN)).toBe(201));
    expect(await running.packages()).toEqual(inUse);
  });

  test('a member that is removed from a file', async () => {
    const folder = await Folder.make({ ...both, 'a.yaml': `${both['a.yaml']}categories: { x: false, y: true }\n` });
    const running = await folder.start();
    expect((await running.category('x'))?.enabled).toBe(false);
    await folder.write({ 'a.yaml': 'apiVersion: 1\ncategories: { y: true }' });
    await eventually(async () => expect(await running.category('x')).toBeUndefined());
    expect(await running.category('y')).toMatchObject({ file: 'a.yaml' });
    expect(await running.packages()).toEqual(inUse.slice(1));
    await eventually(async () => expect(await running.send(TOKEN)).toBe(403));
  });

  test('two files that swap objects, and three that exchange them in a circle', async () => {
    const category = (name: string) => `apiVersion: 1\ncategories: { ${name}: false }\n`;
    const of = (name: string) => file(name, `categories: { ${name}: false }`);
    const files = { 'a.json': manifest(A), 'b.json': manifest(B) };
    const folder = await Folder.make({ '1.yaml': of('a'), '2.yaml': of('b'), ...files });
    await folder.write({ '3.yaml': category('c'), '4.yaml': category('d'), '5.yaml': category('e') });
    const running = await folder.start();
    await folder.write({ '1.yaml': of('b'), '2.yaml': of('a') });
    await folder.write({ '3.yaml': category('d'), '4.yaml': category('e'), '5.yaml': category('c') });
    const found = async () =>
      (await running.status()).files.map(({ file, state, packages, categories: all }) => [
        file,
        state,
        ...packages,
        ...all,
      ]);
    await eventually(async () =>
      expect(await found()).toEqual([
        ['1.yaml', 'applied', B, 'b'],
        ['2.yaml', 'applied', A, 'a'],
        ['3.yaml', 'applied', 'd'],
        ['4.yaml', 'applied', 'e'],
        ['5.yaml', 'applied', 'c'],
      ])
    );
    expect((await running.category('e'))?.enabled).toBe(false);
  });

  test('another folder for the files of a package, which is recorded', async () => {
    const yaml = (files: string) => `apiVersion: 1\npackages: [{ manifest: a.json, files: ${files} }]\n`;
    const folder = await Folder.make({ 'a.yaml': yaml('one'), 'a.json': manifest(A) });
    const { bridge } = await folder.start();
    await folder.write({ 'a.yaml': yaml('two') });
    const [before, after] = ['one', 'two'].map((name) => ({ files: path.join(folder.dir, name) }));
    await eventually(async () =>
      expect((await bridge.call<AuditPage>('GET', AUDIT)).entries).toMatchObject([
        { action: 'package.update', object: A, before, after },
        { action: 'package.register', object: A, after: before },
      ])
    );
  });

  test('the link of a mounted ConfigMap that changes', async () => {
    const folder = await Folder.make();
    const at = (name: string) => path.join(folder.dir, name);
    const version = async (name: string, files: Record<string, string>) => {
      await folder.write(Object.fromEntries(Object.entries(files).map(([one, text]) => [`${name}/${one}`, text])));
      await symlink(name, at('..data_tmp'));
      await rename(at('..data_tmp'), at('..data'));
    };
    await version('..2026_1', { 'all.yaml': file('a'), 'a.json': manifest(A) });
    await symlink('..data/all.yaml', at('all.yaml'));
    await symlink('..data/a.json', at('a.json'));
    const running = await folder.start();
    expect(await running.packages()).toEqual([`${A} 1.0.0 all.yaml`]);
    for (const [index, next] of ['1.1.0', '1.2.0'].entries()) {
      await version(`..2026_${index + 2}`, { 'all.yaml': file('a'), 'a.json': manifest(A, next) });
      await rm(at(`..2026_${index + 1}`), { recursive: true });
      await eventually(async () => expect(await running.packages()).toEqual([`${A} ${next} all.yaml`]));
    }
  });

  test('if the folder disappears everything stays in effect, and it is read again when it is back', async () => {
    const folder = await Folder.make(both);
    const running = await folder.start();
    const aside = `${folder.dir}.aside`;
    await rename(folder.dir, aside);
    await eventually(async () => expect((await running.status()).state).toBe('missing'));
    const status = await running.status();
    expect(status.detail).toContain('ENOENT');
    expect(status.files.map(({ packages }) => packages)).toEqual([[A], [B]]);
    expect(await running.packages()).toEqual(inUse);
    expect(await running.send(TOKEN)).toBe(201);
    await rename(aside, folder.dir);
    await eventually(async () => expect((await running.status()).state).toBe('watching'));
    await folder.remove('b.yaml');
    await eventually(async () => expect(await running.packages()).toEqual(inUse.slice(0, 1)));
  });
});

describe('while the bridge is stopped', () => {
  test('objects removed from the folder are removed at the next start', async () => {
    const folder = await Folder.make(both);
    const running = await folder.start();
    await running.bridge.stop();
    await folder.remove('a.yaml');
    await running.bridge.start();
    expect(await running.packages()).toEqual(inUse.slice(1));
    expect(await running.send(TOKEN)).toBe(403);
    await running.bridge.stop();
    await folder.remove('b.yaml');
    await running.bridge.start();
    expect(await running.packages()).toEqual([]);
    expect((await running.status()).files).toEqual([]);
  });

  test('a folder that is missing at startup removes nothing', async () => {
    const folder = await Folder.make(both);
    const running = await folder.start();
    await running.bridge.stop();
    await rename(folder.dir, `${folder.dir}.aside`);
    await running.bridge.start();
    expect(await running.packages()).toEqual(inUse);
    expect(await running.send(TOKEN)).toBe(201);
    expect(await running.status()).toMatchObject({
      state: 'missing',
      files: [
        { file: 'a.yaml', state: 'failed', checkedAt: null, appliedAt: null, packages: [A], senders: ['s'] },
        { file: 'b.yaml', state: 'failed', packages: [B] },
      ],
    });
    await running.bridge.stop();
    await rename(`${folder.dir}.aside`, folder.dir);
    await running.bridge.start();
    expect((await running.status()).state).toBe('watching');
    expect((await running.file('a.yaml'))?.state).toBe('applied');
  });
});

describe('the file watcher', () => {
  test('watches a file whose folder is created later, without waiting for the next poll', async () => {
    const folder = await Folder.make({ 'a.yaml': '' });
    const file = `${folder.dir}/later/night.ics`;
    const texts: string[] = [];
    const reload = async () => {
      texts.push(await readFile(file, 'utf8').catch(() => ''));
      return [folder.dir, file];
    };
    const watching = await watchFiles(reload, { settleMs: 10, lookAgainMs: 1_000_000 });
    for (const text of ['first', 'second']) {
      await folder.write({ 'later/night.ics': text });
      await eventually(() => Promise.resolve(expect(texts.at(-1)).toBe(text)));
    }
    await watching.close();
  });

  test('detects a folder that was missing, and changes in it', async () => {
    const folder = await Folder.make({ 'a.yaml': '' });
    let there = true;
    let looks = 0;
    const watching = await watchFiles(() => ((looks += 1), Promise.resolve(there ? [folder.dir] : [])), {
      settleMs: 10,
      lookAgainMs: 50,
    });
    there = false;
    await rm(folder.dir, { recursive: true });
    await eventually(() => Promise.resolve(expect(looks).toBeGreaterThan(3)));
    await mkdir(folder.dir);
    there = true;
    const before = looks;
    await eventually(() => Promise.resolve(expect(looks).toBeGreaterThan(before + 2)));
    await watching.close();
    const after = looks;
    await folder.write({ 'b.yaml': '' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(looks).toBe(after);
  });
});
