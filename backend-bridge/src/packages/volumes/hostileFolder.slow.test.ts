/** A package writes its own folder: nothing that it puts there may have the bridge move what is elsewhere. */
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  CONFIG,
  FILES,
  indexOf,
  KEYS,
  makeWorld,
  readAll,
  refusal,
  tarball,
  type World,
  writeAll,
} from './backupWorld.testing.ts';
import { REAL_DISK } from './putInPlace.ts';

const SECRET = { key: 'the machine’s', '0': 'another', '.keys/a': 'A of the machine' };

/** A folder beside that of the package. */
function outsideOf(world: World): string {
  const outside = path.join(world.filesDir, '..', 'outside');
  mkdirSync(outside);
  writeAll(outside, SECRET);
  return outside;
}

test.each([
  ['a file elsewhere', { entry: 0, target: '../outside/key', hadOld: true, made: [] }],
  ['a file elsewhere, from its own', { entry: '../../../outside/key', target: 'stolen', hadOld: true, made: [] }],
  ['a folder elsewhere', { entry: 0, target: 'x', hadOld: false, made: ['../outside/empty'] }],
])('a journal that the package has written is not read: %s', async (_what, step) => {
  const world = makeWorld([KEYS]);
  const outside = outsideOf(world);
  mkdirSync(path.join(outside, 'empty'));
  const work = '.nodebell-restore-01234567-89ab-cdef-0123-456789abcdef';
  world.write({
    ...FILES,
    [`${work}/journal.json`]: JSON.stringify([step]),
    [`${work}/old/0`]: 'of the package',
    [`${work}/new/1`]: '',
  });
  const before = world.read();
  await world.backups.recover([world.filesDir]);
  await world.download();
  expect(readAll(outside)).toEqual({ ...SECRET, empty: '/' });
  expect(world.read()).toEqual(before);
});

describe('an interrupted restore, and a folder that has changed when it is rolled back', () => {
  /** Breaks off at this renaming, and leaves everything as it is then. */
  async function brokenOff(at: number): Promise<{ world: World; outside: string; work: string; revive: () => void }> {
    let calls = 0;
    const dying = {
      ...REAL_DISK,
      rename: (from: string, to: string) => {
        calls += 1;
        return calls >= at ? Promise.reject(new Error('gone')) : REAL_DISK.rename(from, to);
      },
    };
    const world = makeWorld([KEYS, CONFIG], dying);
    world.write(FILES);
    const members = [
      { name: 'entries/keys/a', text: 'A2' },
      { name: 'entries/config', text: 'c=2' },
    ];
    await refusal(world.restore(await tarball(indexOf('keys', 'config'), members)));
    const work = readdirSync(world.filesDir).find((name) => name.startsWith('.nodebell-restore-')) as string;
    const revive = (): void => {
      calls = -100;
    };
    return { world, outside: outsideOf(world), work: path.join(world.filesDir, work), revive };
  }

  test.each([
    ['a folder on the way to an entry', 2, (world: World) => path.join(world.filesDir, 'node', 'root')],
    ['a folder on the way, once all is in place', 4, (world: World) => path.join(world.filesDir, 'node', 'root')],
    ['what was there before', 2, (_world: World, work: string) => path.join(work, 'old')],
    ['what was new', 4, (_world: World, work: string) => path.join(work, 'new')],
    ['the folder of the restore', 2, (_world: World, work: string) => work],
  ])('a link in the place of %s is not followed', async (_what, at, find) => {
    const { world, outside, work, revive } = await brokenOff(at);
    const folder = find(world, work);
    renameSync(folder, `${folder}-aside`);
    symlinkSync(outside, folder);
    revive();
    await world.backups.recover([world.filesDir]);
    expect(readAll(outside)).toEqual(SECRET);
    expect(await refusal(world.download())).toMatchObject({ message: expect.stringMatching(/link|not the folder/) });
    // Once the folder is what it was, it is put back.
    unlinkSync(folder);
    renameSync(`${folder}-aside`, folder);
    await world.backups.recover([world.filesDir]);
    expect(world.read()).toEqual(FILES);
    expect(readdirSync(world.dataDir)).toEqual([]);
  });

  test.each([
    ['is cut', (text: string) => text.slice(0, -5)],
    ['leads out', (text: string) => text.replaceAll('"node/root/.keys"', '"../outside/.keys"')],
    ['leads out by its number', (text: string) => text.replace('"entry":0', '"entry":"../../outside/0"')],
    ['is of another folder', (text: string) => text.replace('/files"', '/other"')],
    ['names another folder of work', (text: string) => text.replace(/"work":"[^"]*"/, '"work":"../outside"')],
  ])('rejects a journal that %s', async (_what, change) => {
    const { world, outside, revive } = await brokenOff(2);
    const file = path.join(world.dataDir, readdirSync(world.dataDir)[0] as string);
    const text = readFileSync(file, 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(file, change(text));
    const before = world.read();
    revive();
    await world.backups.recover([world.filesDir]);
    expect(readAll(outside)).toEqual(SECRET);
    expect(world.read()).toEqual(before);
    writeFileSync(file, text);
    await world.backups.recover([world.filesDir]);
    expect(world.read()).toEqual(FILES);
  });
});
