import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { expectUntouched, indexOf, KEYS, makeWorld, NAME, tarball } from './backupWorld.testing.ts';
import { backupHandlers } from './routes.ts';

test('a restore that cannot be recorded changes nothing', async () => {
  const world = makeWorld([KEYS]);
  world.write({ 'node/root/.keys/a': 'old' });
  const { restoreBackup } = backupHandlers(world.backups, () => Promise.reject(new Error('the store is full')));
  const bytes = await tarball(indexOf('keys'), [{ name: 'entries/keys/a', text: 'new' }]);
  const req = Object.assign(Readable.from([bytes]), { headers: { 'content-type': 'application/gzip' } });
  await expectUntouched(world, async () => {
    const restored = (restoreBackup as (call: object) => Promise<unknown>)({ params: { dnpName: NAME }, req });
    await expect(restored).rejects.toThrow('the store is full');
  });
});
