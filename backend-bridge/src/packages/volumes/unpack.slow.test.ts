import { statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BACKUP_MEMBERS_LIMIT, BACKUP_TARBALL_LIMIT } from '../../../contract/backup.ts';
import {
  expectUntouched,
  indexOf,
  KEYS,
  makeWorld,
  type Member,
  NAME,
  refusal,
  tar,
  tarball,
} from './backupWorld.testing.ts';

/** Writes an owner into the header of the first entry, with the checksum that belongs to it (POSIX, "ustar"). */
function withOwner(tarball: Buffer, owner: Buffer): Buffer {
  const at = tarball.indexOf('entries/keys');
  const header = tarball.subarray(at, at + 512);
  owner.copy(header, 108);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return tarball;
}

describe('a hostile tarball is rejected and changes nothing', () => {
  const good: Member = { name: 'entries/keys/a', text: 'new' };
  test.each<[string, Member[]]>([
    ['a name with ..', [{ name: 'entries/keys/../../../evil', text: 'x' }]],
    ['a name that begins with ..', [{ name: '../evil', text: 'x' }]],
    ['an absolute name', [{ name: '/tmp/evil', text: 'x' }]],
    ['a name with back slashes', [{ name: 'entries/keys/..\\..\\evil', text: 'x' }]],
    ['a name with a line end', [{ name: 'entries/keys/a\nb', text: 'x' }]],
    ['a name with an empty part', [{ name: 'entries//keys/a', text: 'x' }]],
    ['a very long name', [{ name: `entries/keys/${'x'.repeat(300)}`, text: 'x' }]],
    [
      'a folder that is there twice',
      [
        { name: 'entries/keys/d/', type: 'directory' },
        { name: 'entries/keys/d', type: 'directory' },
      ],
    ],
    ['a file where something is in a folder', [{ name: 'entries/keys/a/b', text: 'x' }, good]],
    ['a very deep one', [{ name: `entries/keys${'/d'.repeat(100)}`, text: 'x' }]],
    ['a symbolic link', [{ name: 'entries/keys/l', type: 'symlink', linkname: '/etc' }]],
    [
      'a symbolic link for the entry, and a file through it',
      [{ name: 'entries/keys', type: 'symlink', linkname: '/tmp' }, good],
    ],
    ['a hard link', [{ name: 'entries/keys/l', type: 'link', linkname: 'entries/keys/a' }]],
    ['a device', [{ name: 'entries/keys/d', type: 'character-device', devmajor: 1, devminor: 3 }]],
    ['a block device', [{ name: 'entries/keys/d', type: 'block-device', devmajor: 8, devminor: 0 }]],
    ['a pipe', [{ name: 'entries/keys/p', type: 'fifo' }]],
    ['a long header', [{ ...good, pax: { comment: 'x'.repeat(70_000) } }]],
    ['a contiguous file', [{ name: 'entries/keys/c', type: 'contiguous-file' }]],
    ['a name that is there twice', [good, good]],
    ['the same name, once as a folder', [good, { name: 'entries/keys/a/', type: 'directory' }]],
    ['a file below a file', [good, { name: 'entries/keys/a/b', text: 'x' }]],
    ['an entry that the index does not name', [good, { name: 'entries/other/a', text: 'x' }]],
    ['a member outside of the entries', [good, { name: 'other', text: 'x' }]],
    ['a file in the place of the entries', [{ name: 'entries', text: 'x' }]],
    ['a second index', [good, { name: 'nodebell-backup.json', text: '{}' }]],
    ['an entry that is not there', []],
  ])('%s', async (_what, members) => {
    const world = makeWorld([KEYS]);
    world.write({ 'node/root/.keys/a': 'old' });
    const bytes = await tarball(indexOf('keys'), members);
    await expectUntouched(world, async () =>
      expect(await refusal(world.restore(bytes))).toMatchObject({ status: 400 })
    );
  });

  test('a folder may be named after what is in it', async () => {
    const world = makeWorld([KEYS]);
    const members: Member[] = [good, { name: 'entries/keys/', type: 'directory', mode: 0o500 }];
    await world.restore(await tarball(indexOf('keys'), members));
    expect(world.read()).toEqual({ 'node/root/.keys/a': 'new' });
    expect(statSync(path.join(world.filesDir, 'node/root/.keys')).mode & 0o777).toBe(0o500);
  });

  test('the good one would be taken', async () => {
    const world = makeWorld([KEYS]);
    await world.restore(await tarball(indexOf('keys'), [{ name: 'entries/', type: 'directory' }, good]));
    expect(world.read()).toEqual({ 'node/root/.keys/a': 'new' });
  });

  test.each<[string, unknown]>([
    ['of another package', { ...indexOf('keys'), dnpName: 'other.eth' }],
    ['of another form', { ...indexOf('keys'), formatVersion: 2 }],
    ['without a name', { ...indexOf('keys'), dnpName: undefined }],
    ['that names an entry twice', indexOf('keys', 'keys')],
    ['that is a list', []],
    ['that is null', null],
  ])('an index %s', async (_what, index) => {
    const world = makeWorld([KEYS]);
    world.write({ 'node/root/.keys/a': 'old' });
    const bytes = await tarball(index, [good]);
    await expectUntouched(world, async () =>
      expect(await refusal(world.restore(bytes))).toMatchObject({
        status: 400,
        // The page says so.
        message: expect.not.stringContaining('changed'),
      })
    );
  });

  test.each<[string, (whole: Buffer) => Buffer | Promise<Buffer>]>([
    ['nothing', () => Buffer.alloc(0)],
    ['no gzip', () => Buffer.from('This is not a tarball.')],
    ['gzip of no tar', () => gzipSync('x'.repeat(2000))],
    ['gzip of nothing', () => gzipSync('')],
    ['half of one', (whole) => whole.subarray(0, whole.length / 2)],
    ['one without its last byte', (whole) => whole.subarray(0, -1)],
    ['one with a wrong byte', (whole) => Buffer.concat([whole.subarray(0, 60), Buffer.from('x'), whole.subarray(61)])],
    ['one that is not packed', (whole) => gunzipSync(whole)],
    ['a tar that ends in a member', (whole) => gzipSync(gunzipSync(whole).subarray(0, 1700))],
    [
      'an owner that is none',
      (whole) => gzipSync(withOwner(gunzipSync(whole), Buffer.from('8000ffffffffffff', 'hex'))),
    ],
    ['one without an index', async () => gzipSync(await tar([good]))],
    [
      'one with an index that is no JSON',
      async () => gzipSync(await tar([{ name: 'nodebell-backup.json', text: '{' }])),
    ],
  ])('%s', async (_what, change) => {
    const world = makeWorld([KEYS]);
    world.write({ 'node/root/.keys/a': 'x'.repeat(500) });
    const bytes = await change(await world.download());
    await expectUntouched(world, async () =>
      expect(await refusal(world.restore(bytes))).toMatchObject({ status: 400 })
    );
  });

  test('more members than are allowed', async () => {
    const world = makeWorld([KEYS]);
    const many = Array.from({ length: BACKUP_MEMBERS_LIMIT + 1 }, (_, number) => ({
      name: `entries/keys/${number}/`,
      type: 'directory' as const,
    }));
    const bytes = await tarball(indexOf('keys'), many);
    await expectUntouched(world, async () =>
      expect(await refusal(world.restore(bytes))).toMatchObject({ status: 413 })
    );
  });

  test('a bomb: little when packed', async () => {
    const world = makeWorld([KEYS]);
    const bytes = gzipSync(
      Buffer.concat([
        gunzipSync(await tarball(indexOf('keys'), [good])).subarray(0, 1024),
        Buffer.alloc(BACKUP_TARBALL_LIMIT),
      ])
    );
    expect(bytes.length).toBeLessThan(1024 * 1024);
    await expectUntouched(world, async () =>
      expect(await refusal(world.restore(bytes))).toMatchObject({ status: 413 })
    );
  });

  test('an interrupted upload', async () => {
    const world = makeWorld([KEYS]);
    world.write({ 'node/root/.keys/a': 'old' });
    const whole = await world.download();
    await expectUntouched(world, async () => {
      const body = new Readable({ read: () => undefined });
      body.push(whole.subarray(0, 20));
      setImmediate(() => body.destroy());
      await refusal(world.backups.restore(NAME, body, () => Promise.resolve()));
    });
  });
});
