import { once } from 'node:events';
import { chownSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, NAME, refusal } from './backupWorld.testing.ts';

test('an entry that is a socket is missing, also after one whose name begins alike', async () => {
  const world = makeWorld([
    { name: 'node-keys', path: '/keys', service: 's' },
    { name: 'node', path: '/ipc', service: 's' },
  ]);
  world.write({ 's/keys/a': 'A' });
  const server = createServer().listen(path.join(world.filesDir, 's/ipc'));
  try {
    await once(server, 'listening');
    const bytes = await world.download();
    rmSync(path.join(world.filesDir, 's/keys'), { recursive: true });
    expect(await world.restore(bytes)).toMatchObject({ restored: [{ name: 'node-keys' }], missing: ['node'] });
  } finally {
    server.close();
  }
});

test('an entry whose name is long once it is percent-encoded is restored', async () => {
  const world = makeWorld([{ name: 'я'.repeat(80), path: '/k', service: 's' }]);
  world.write({ 's/k/f': '1' });
  const bytes = await world.download();
  world.write({ 's/k/f': '2' });
  await world.restore(bytes);
  expect(world.read()).toEqual({ 's/k/f': '1' });
});

test.each(['dev-disk\\x2did', 'a\nb', `${'d/'.repeat(70)}f`])(
  'a file %j, which is not restored, is named',
  async (file) => {
    const world = makeWorld([{ name: 'k', path: '/k', service: 's' }]);
    world.write({ [`s/k/${file}`]: '1' });
    expect(await refusal(world.backups.download(NAME))).toMatchObject({
      status: 409,
      message: expect.stringContaining(`"entries/k/${file[0]}`),
    });
  }
);

test('owners beyond those that ustar can hold are restored', async (context) => {
  context.skip(process.getuid?.() !== 0, 'only root may change owners');
  const world = makeWorld([{ name: 'k', path: '/k', service: 's' }]);
  world.write({ 's/k/f': '1' });
  const [folder, file] = ['s/k', 's/k/f'].map((name) => path.join(world.filesDir, name)) as [string, string];
  chownSync(folder, 1_000_100, 1_000_200);
  chownSync(file, 1_000_101, 7);
  const bytes = await world.download();
  rmSync(folder, { recursive: true });
  await world.restore(bytes);
  expect([folder, file].map((name) => [statSync(name).uid, statSync(name).gid])).toEqual([
    [1_000_100, 1_000_200],
    [1_000_101, 7],
  ]);
});
