import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  CONFIG,
  expectUntouched,
  FILES,
  indexOf,
  KEYS,
  makeWorld,
  NAME,
  refusal,
  tarball,
  writeAll,
} from './backupWorld.testing.ts';

describe('a backup', () => {
  test('is a tarball that tar can read, with an index', async () => {
    const world = makeWorld([KEYS, CONFIG, { name: 'absent', path: '/none', service: 'node' }]);
    world.write(FILES);
    const bytes = await world.download();
    const names = execFileSync('tar', ['-tzf', '-'], { input: bytes }).toString().trim().split('\n');
    expect(names).toEqual([
      'nodebell-backup.json',
      'entries/keys/',
      'entries/keys/a',
      'entries/keys/deep/',
      'entries/keys/deep/b',
      'entries/config',
    ]);
    const index = execFileSync('tar', ['-xzOf', '-', 'nodebell-backup.json'], { input: bytes }).toString();
    expect(JSON.parse(index)).toEqual({
      format: 'nodebell-backup',
      formatVersion: 1,
      dnpName: NAME,
      version: '1.0.0',
      createdAt: '2026-11-21T00:00:00.000Z',
      entries: [
        { ...KEYS, state: 'stored', leftOut: 0 },
        { ...CONFIG, state: 'stored', leftOut: 0 },
        { name: 'absent', path: '/none', service: 'node', state: 'missing', leftOut: 0 },
      ],
    });
    expect((await world.backups.download(NAME)).fileName).toBe('keys.example.eth-1.0.0-2026-11-21.backup.tar.gz');
  });

  test('restores contents, permissions, times, empty folders and files', async () => {
    const world = makeWorld([KEYS]);
    world.write({ ...FILES, 'node/root/.keys/empty': '' });
    const keys = path.join(world.filesDir, 'node/root/.keys');
    mkdirSync(path.join(keys, 'void'));
    chmodSync(path.join(keys, 'a'), 0o640);
    chmodSync(path.join(keys, 'void'), 0o711);
    const before = world.read();
    const { mtime } = statSync(path.join(keys, 'a'));
    const bytes = await world.download();
    rmSync(keys, { recursive: true });
    world.write({ 'node/root/.keys/other': 'x', 'node/root/.keys/a': 'changed' });
    expect(await world.restore(bytes)).toEqual({
      dnpName: NAME,
      backupVersion: '1.0.0',
      createdAt: '2026-11-21T00:00:00.000Z',
      restored: [{ ...KEYS, from: '/root/.keys' }],
      unknown: [],
      missing: [],
    });
    expect(world.read()).toEqual(before);
    expect(statSync(path.join(keys, 'a')).mode & 0o777).toBe(0o640);
    expect(statSync(path.join(keys, 'void')).mode & 0o777).toBe(0o711);
    expect(Math.floor(statSync(path.join(keys, 'a')).mtimeMs / 1000)).toBe(Math.floor(mtime.getTime() / 1000));
    expect(readdirSync(world.dataDir)).toEqual([]);
  });

  test('of an entry goes to its new path, found by its name', async () => {
    const world = makeWorld([KEYS, CONFIG]);
    world.write(FILES);
    const bytes = await world.download();
    const moved = { ...KEYS, path: '/data/new/keys', service: 'validator' };
    world.list([moved, { name: 'added', path: '/added' }]);
    expect(await world.restore(bytes)).toMatchObject({
      restored: [{ ...moved, from: '/root/.keys' }],
      unknown: ['config'],
      missing: ['added'],
    });
    expect(world.read()).toEqual({
      ...FILES,
      'validator/data/new/keys/a': 'A',
      'validator/data/new/keys/deep/b': 'B',
    });
  });

  test('of a file is put where a folder was, and of a folder where a file was', async () => {
    const world = makeWorld([KEYS, CONFIG]);
    world.write(FILES);
    const bytes = await world.download();
    rmSync(path.join(world.filesDir, 'node'), { recursive: true });
    world.write({ 'node/root/.keys': 'a file', 'node/etc/node.conf/x': 'in a folder' });
    await world.restore(bytes);
    expect(world.read()).toEqual(FILES);
  });

  test('of entries inside each other', async () => {
    const world = makeWorld([
      { name: 'inner', path: '/a/b', service: 's' },
      { name: 'outer', path: '/a', service: 's' },
    ]);
    world.write({ 's/a/b/x': 'X', 's/a/y': 'Y' });
    const before = world.read();
    const bytes = await world.download();
    rmSync(path.join(world.filesDir, 's'), { recursive: true });
    await world.restore(bytes);
    expect(world.read()).toEqual(before);
  });

  test.each(['..', '.', 'a/b', '../../x', 'ü "quoted" \\', 'nodebell-backup.json', 'x'.repeat(80)])(
    'an entry may be called %j',
    async (name) => {
      const world = makeWorld([{ name, path: '/k', service: 's' }]);
      world.write({ 's/k/f': '1' });
      const bytes = await world.download();
      world.write({ 's/k/f': '2' });
      await world.restore(bytes);
      expect(world.read()).toEqual({ 's/k/f': '1' });
    }
  );

  test('without a service is below the folder itself', async () => {
    const world = makeWorld([{ name: 'k', path: '/k' }]);
    world.write({ k: '1' });
    const bytes = await world.download();
    rmSync(path.join(world.filesDir, 'k'));
    await world.restore(bytes);
    expect(world.read()).toEqual({ k: '1' });
  });

  test('is rejected with the reason when there is nothing to back up', async () => {
    expect(await refusal(makeWorld([]).backups.download(NAME))).toMatchObject({ status: 404 });
    expect(await refusal(makeWorld([KEYS]).backups.download('other.eth'))).toMatchObject({ status: 404 });
    expect(await refusal(makeWorld([KEYS]).backups.download(NAME))).toMatchObject({
      status: 409,
      message: expect.stringContaining('None of the files'),
    });
    const gone = makeWorld([KEYS]);
    rmSync(gone.filesDir, { recursive: true });
    expect(await refusal(gone.backups.download(NAME))).toMatchObject({
      status: 409,
      message: expect.stringContaining('ENOENT'),
    });
  });

  test('of too much data is rejected before anything is sent', async () => {
    const world = makeWorld([KEYS]);
    world.write({ 'node/root/.keys/a': '' });
    execFileSync('truncate', ['-s', '65M', path.join(world.filesDir, 'node/root/.keys/big')]);
    expect(await refusal(world.backups.download(NAME))).toMatchObject({
      status: 409,
      message: expect.stringContaining('64 MiB'),
    });
  });
});

describe('links', () => {
  test('in an entry are left out, and counted', async () => {
    const world = makeWorld([KEYS]);
    world.write({ 'node/root/.keys/a': 'A', secret: 'S' });
    symlinkSync(path.join(world.filesDir, 'secret'), path.join(world.filesDir, 'node/root/.keys/link'));
    symlinkSync('/etc', path.join(world.filesDir, 'node/root/.keys/etc'));
    const bytes = await world.download();
    expect(gunzipSync(bytes).toString('latin1')).toContain('"leftOut": 2');
    expect(execFileSync('tar', ['-tzf', '-'], { input: bytes }).toString()).not.toMatch(/link|etc/);
  });

  test.each(['', '/', '/../..', '/../../../../../../../etc'])('a path %j leads nowhere else', async (below) => {
    const world = makeWorld([{ name: 'k', path: `/..${below}`, service: '..' }, CONFIG]);
    world.write(FILES);
    writeAll(path.dirname(world.filesDir), { 'outside.txt': 'secret' });
    const bytes = await world.download();
    expect(gunzipSync(bytes).toString('latin1')).not.toContain('secret');
  });

  test('an entry on a link out of the folder is not read', async () => {
    const world = makeWorld([KEYS, CONFIG]);
    world.write({ 'node/etc/node.conf': 'c' });
    const outside = path.join(path.dirname(world.filesDir), 'outside');
    writeAll(outside, { '.keys/a': 'secret' });
    symlinkSync(outside, path.join(world.filesDir, 'node/root'));
    const text = gunzipSync(await world.download()).toString('latin1');
    expect(text).toContain('"state": "outside"');
    expect(text).not.toContain('secret');
  });

  test.each(['node', 'node/root', 'node/root/.keys'])(
    'nothing is restored through %s when it leads out',
    async (at) => {
      const world = makeWorld([KEYS]);
      const outside = path.join(path.dirname(world.filesDir), 'outside');
      writeAll(outside, { x: 'mine' });
      mkdirSync(path.dirname(path.join(world.filesDir, at)), { recursive: true });
      symlinkSync(outside, path.join(world.filesDir, at));
      const bytes = await tarball(indexOf('keys'), [{ name: 'entries/keys/a', text: 'A' }]);
      await expectUntouched(world, async () =>
        expect(await refusal(world.restore(bytes))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/leads out of the folder of the package's files\.$/),
        })
      );
      expect(readdirSync(outside)).toEqual(['x']);
    }
  );

  test('nothing is restored through a link that leads nowhere', async () => {
    const world = makeWorld([KEYS]);
    mkdirSync(path.join(world.filesDir, 'node'));
    symlinkSync('/tmp/nodebell-is-not-there', path.join(world.filesDir, 'node/root'));
    const bytes = await tarball(indexOf('keys'), [{ name: 'entries/keys/a', text: 'A' }]);
    await expectUntouched(world, async () =>
      expect(await refusal(world.restore(bytes))).toMatchObject({ status: 409 })
    );
    expect(existsSync('/tmp/nodebell-is-not-there')).toBe(false);
  });

  test('inside the folder are followed', async () => {
    const world = makeWorld([KEYS]);
    world.write({ 'volumes/v1/.keys/a': 'A' });
    mkdirSync(path.join(world.filesDir, 'node'));
    symlinkSync('../volumes/v1', path.join(world.filesDir, 'node/root'));
    const before = world.read();
    const bytes = await world.download();
    world.write({ 'volumes/v1/.keys/a': 'changed' });
    await world.restore(bytes);
    expect(world.read()).toEqual(before);
  });
});

test('of two at the same time, one is rejected with 409', async () => {
  const world = makeWorld([KEYS]);
  world.write(FILES);
  const bytes = await world.download();
  const outcomes = await Promise.allSettled([world.restore(bytes), world.restore(bytes), world.restore(bytes)]);
  const refused = outcomes.filter((one) => one.status === 'rejected');
  expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(1);
  refused.forEach(({ reason }) => expect(reason).toMatchObject({ status: 409 }));
  expect(world.read()).toEqual(FILES);
});

test('at the start, uploads of before are thrown away', async () => {
  const world = makeWorld([KEYS]);
  mkdirSync(path.join(world.dataDir, 'restore-abc'));
  writeFileSync(path.join(world.dataDir, 'nodebell.db'), '');
  await world.backups.recover([world.filesDir, '/not/there']);
  expect(readdirSync(world.dataDir)).toEqual(['nodebell.db']);
});
