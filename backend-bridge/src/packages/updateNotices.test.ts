/** Notices of new versions, over a real store. */
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import '../arrivals.ts';
import { resolveGone } from '../inbox/autoResolve/writes.ts';
import { openWorld } from '../inbox/retention/retention.testing.ts';
import { changePackages } from './registry/writes.ts';
import { offeredVersion, resolveUpdateNotices, UPDATE_NOTICE } from './updateNotices.ts';

test.each([
  ['New version ready to install (current version 0.1.3, new version 0.2.0)', '0.2.0'],
  ['new version v1.0.0-rc.1.', '1.0.0-rc.1'],
  ['New version: 2.0.0', '2.0.0'],
  ['upstream 1.13.4 is out', undefined],
  ['new version soon', undefined],
])('%s: %s', (text, version) => expect(offeredVersion(text)).toBe(version));

test('a notice resolves when its package is registered with the version, or a newer one', async () => {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const { db, writes, clock } = world;
  const notice = (dnpName: string, version: string, more: object = {}) => ({
    ...{ title: 'Update available', body: `current version 0.1.0, new version ${version}`, dnpName },
    ...{ correlationId: UPDATE_NOTICE, status: 'triggered' as const, ...more },
  });
  await world.send(
    notice('equal', '0.2.0'),
    notice('newer', '0.1.9'),
    notice('older', '0.2.1'),
    notice('equal', '0.2.0', { node: 'attic' }),
    notice('absent', '0.2.0')
  );
  const row = {
    ...{ revision: 'r', version: '0.2.0', type: 'service', dialect: 'dappnode', manifest: '{}', notifications: null },
    ...{ compose: null, targets: null, dashboards: null, files_dir: null, origin_file: null },
    ...{ registered_ts: 1, registered_by: null, updated_ts: 1 },
  };
  const puts = ['equal', 'newer', 'older'].map((dnp_name) => ({
    ...{ expected: null, row: { ...row, dnp_name }, off: [], now: 1, by: null },
  }));
  await writes.submit(changePackages, { puts, removals: [] });
  const stop = resolveUpdateNotices(
    { db, log: pino({ level: 'silent' }) },
    async (gone) => {
      await writes.submit(resolveGone, { gone, now: clock.wall, steady: clock.elapsed, destinations: undefined });
    },
    20
  );
  onTestFinished(stop);
  const states = async () =>
    (await db.selectFrom('threads').select('state').orderBy('id').execute()).map(({ state }) => state);
  await expect.poll(states, { timeout: 30_000 }).toEqual(['resolved', 'resolved', 'open', 'open', 'open']);
});
