import { describe, expect, test } from 'vitest';
import { CONFIG, expectUntouched, FILES, indexOf, KEYS, makeWorld, refusal, tarball } from './backupWorld.testing.ts';
import { REAL_DISK } from './putInPlace.ts';

describe('a disk that fails half-way', () => {
  /** Lets the n-th call fail, and those after it succeed. */
  const failing = (what: 'rename' | 'copyFile', nth: number) => {
    let calls = 0;
    return {
      ...REAL_DISK,
      [what]: (from: string, to: string) => {
        calls += 1;
        return calls === nth
          ? Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
          : REAL_DISK[what](from, to);
      },
    };
  };
  const THREE = [KEYS, CONFIG, { name: 'new', path: '/not/there/yet', service: 'node' }];
  const members = [
    { name: 'entries/keys/a', text: 'A2' },
    { name: 'entries/keys/deep/c', text: 'C2' },
    { name: 'entries/config', text: 'c=2' },
    { name: 'entries/new/n', text: 'N2' },
  ];
  const RESTORED = {
    'node/root/.keys/a': 'A2',
    'node/root/.keys/deep/c': 'C2',
    'node/etc/node.conf': 'c=2',
    'node/not/there/yet/n': 'N2',
  };

  // Two renamings for what was there before, one for what was not.
  test.each([
    ...[1, 2, 3, 4].map((nth) => ['copyFile', nth] as const),
    ...[1, 2, 3, 4, 5].map((nth) => ['rename', nth] as const),
  ])('%s, call %i: everything is as it was', async (what, nth) => {
    const world = makeWorld(THREE, failing(what, nth));
    world.write(FILES);
    const bytes = await tarball(indexOf('keys', 'config', 'new'), members);
    await expectUntouched(world, async () =>
      expect(await refusal(world.restore(bytes))).toMatchObject({ code: 'ENOSPC' })
    );
    // And the next one succeeds.
    await world.restore(bytes);
    expect(world.read()).toEqual(RESTORED);
  });

  test.each([1, 2, 3, 4, 5])('a bridge that ends at renaming %i: the next look puts everything back', async (nth) => {
    let calls = 0;
    const dead = {
      ...REAL_DISK,
      rename: (from: string, to: string) => {
        calls += 1;
        // From then on nothing works, as if the process were gone.
        return calls >= nth ? Promise.reject(new Error('gone')) : REAL_DISK.rename(from, to);
      },
    };
    const world = makeWorld(THREE, dead);
    world.write(FILES);
    await refusal(world.restore(await tarball(indexOf('keys', 'config', 'new'), members)));
    calls = -100;
    await world.backups.recover([world.filesDir]);
    expect(world.read()).toEqual(FILES);
  });
});
