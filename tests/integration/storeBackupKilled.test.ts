/** A restore and a migration that are killed at any moment. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { run } from '../../backend-bridge/src/cli/cliWorld.testing.ts';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { notification, SAMPLE } from '../../backend-bridge/src/platform/backup/sampleRows.testing.ts';
import { contentOf, restoredContentOf } from '../../backend-bridge/src/platform/backup/transferWorld.testing.ts';
import { envOf, makeStore, nodebell, placeOf } from './storeBackup.testing.ts';

describe('killed at any moment', () => {
  const POINTS = 8;
  const many = { ...SAMPLE, notifications: Array.from({ length: 5000 }, (_, index) => notification(index + 1)) };

  test('a restore leaves the old store or the new one', async () => {
    const [dir, source] = [temporaryFolder(), temporaryFolder()];
    await makeStore(source, many);
    const file = path.join(source, 'b.jsonl.zst');
    await run(['backup', '--to', file], { env: await envOf(source) });
    await makeStore(dir);
    const content = async (dataDir: string) => contentOf(await placeOf(dataDir));
    const [old, restored] = [await content(dir), await content(source)];
    const restore = async (dataDir: string, killAfter?: number) =>
      nodebell(['restore', file, '--yes'], await envOf(dataDir), killAfter);
    const started = performance.now();
    expect(await restore(temporaryFolder())).toMatchObject({ code: 0, err: expect.not.stringContaining('Error') });
    const duration = performance.now() - started;
    let interrupted = 0;
    for (let point = 1; point <= POINTS; point += 1) {
      const { code } = await restore(dir, (duration * point) / POINTS);
      const { notifications } = await content(dir);
      const isOld = notifications!.length === old.notifications!.length;
      expect(notifications).toEqual((isOld ? old : restored).notifications);
      expect(code === 0 && isOld).toBe(false);
      interrupted += code === null ? 1 : 0;
      await makeStore(dir);
    }
    expect(interrupted).toBeGreaterThan(0);
    expect(await restore(dir)).toMatchObject({ code: 0, err: expect.not.stringContaining('Error') });
    const whole = await restoredContentOf(await placeOf(dir));
    // Its events start again, with a higher number.
    const { store_backups } = SAMPLE;
    expect(whole).toEqual({ ...restored, store_backups, events: [], series: whole.series });
  });

  test('a migration is started again, and doubles nothing', async () => {
    const [source, target] = [temporaryFolder(), path.join(temporaryFolder(), 'new')];
    await makeStore(source, many);
    const content = await contentOf(await placeOf(source));
    const migrate = async (to: string, killAfter?: number) =>
      nodebell(
        ['migrate', '--from', '$FROM', '--to', '$TO'],
        { FROM: await testAddress(source), TO: await testAddress(to) },
        killAfter
      );
    const started = performance.now();
    expect(await migrate(path.join(temporaryFolder(), 'first'))).toMatchObject({ code: 0 });
    const duration = performance.now() - started;
    const place = await placeOf(target);
    let interrupted = 0;
    for (let point = 1; point <= POINTS && !(await place.exists()); point += 1) {
      const { code } = await migrate(target, (duration * point) / POINTS);
      interrupted += code === null ? 1 : 0;
    }
    expect(interrupted).toBeGreaterThan(0);
    expect((await place.exists()) || (await migrate(target)).code === 0).toBe(true);
    expect(await contentOf(place)).toEqual(content);
  });
});
