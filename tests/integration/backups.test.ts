/** Backups over HTTP: the files in the manifest are downloaded as one tarball and restored by name, all or none. */
import { readFile } from 'node:fs/promises';
import { symlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { matchRoute } from '../../standalone/server/routeMatch.ts';
import type { PluginJson } from '../../standalone/server/pluginJson.ts';
import {
  indexOf,
  type Member,
  tarball as makeTarball,
} from '../../backend-bridge/src/packages/volumes/backupWorld.testing.ts';
import { BACKUP, download, FILES, KEEPER, restore, startKeeper } from './backups.testing.ts';
import { register } from './packages.testing.ts';
import { expectProblem } from './support.ts';

const index = (...names: string[]) => ({ ...indexOf(...names), dnpName: KEEPER });

test('a downloaded backup can be restored; other files are unchanged', async () => {
  const { bridge, read, write } = await startKeeper();
  const { status, headers, tarball } = await download(bridge);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/gzip');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="${KEEPER}-1.0.0-${bridge.clock.iso.slice(0, 10)}.backup.tar.gz"`
  );
  write({ 'keeper/root/.keys/a': 'changed', 'keeper/root/.keys/new': 'since then', 'keeper/other': 'changed too' });
  expect(await restore(bridge, tarball)).toMatchObject({
    status: 200,
    body: {
      dnpName: KEEPER,
      backupVersion: '1.0.0',
      createdAt: bridge.clock.iso,
      restored: [
        { name: 'keys', path: '/root/.keys', from: '/root/.keys' },
        { name: 'config', path: '/etc/keeper.conf', from: '/etc/keeper.conf' },
      ],
      unknown: [],
      missing: [],
    },
  });
  expect(read()).toEqual({ ...FILES, 'keeper/other': 'changed too' });
});

const HOSTILE: [what: string, members: Member[]][] = [
  ['leads upwards', [{ name: 'entries/keys/../../../../escaped', text: 'x' }]],
  ['is absolute', [{ name: '/escaped', text: 'x' }]],
  ['is a symbolic link', [{ name: 'entries/keys/link', type: 'symlink', linkname: '/etc' }]],
  ['is a hard link', [{ name: 'entries/keys/link', type: 'link', linkname: '/etc/passwd' }]],
  ['is no entry', [{ name: 'elsewhere/a', text: 'x' }]],
];
test.each(HOSTILE)('a tarball with a member that %s is rejected and changes nothing', async (_what, members) => {
  const { bridge, read } = await startKeeper();
  const good: Member[] = [{ name: 'entries/keys/a', text: 'replaced' }];
  expectProblem(await restore(bridge, await makeTarball(index('keys'), [...good, ...members])), 400);
  expect(read()).toEqual(FILES);
  // Without this member the tarball is accepted.
  expect((await restore(bridge, await makeTarball(index('keys'), good))).status).toBe(200);
  expect(read()).toEqual({ ...FILES, 'keeper/root/.keys/a': 'replaced' });
});

test('invalid, incomplete and wrongly typed tarballs are rejected', async () => {
  const { bridge, read } = await startKeeper();
  expectProblem(await restore(bridge, Buffer.from('{}')), 400);
  const { tarball } = await download(bridge);
  expectProblem(await restore(bridge, tarball.subarray(0, tarball.length - 20)), 400);
  expectProblem(await restore(bridge, tarball, { 'Content-Type': 'text/plain' }), 415);
  expectProblem(await restore(bridge, tarball, {}), 415);
  expect(read()).toEqual(FILES);
});

test('a symbolic link in place of an entry does not lead out of the folder, neither in a backup nor in a restore', async () => {
  const { bridge, read, folderOfFiles } = await startKeeper();
  const { tarball } = await download(bridge);
  rmSync(path.join(folderOfFiles, 'keeper/root'), { recursive: true });
  symlinkSync(bridge.dataDir, path.join(folderOfFiles, 'keeper/root'));
  const before = read();
  expectProblem(await restore(bridge, tarball), 409);
  expect(read()).toEqual(before);
  const { tarball: without } = await download(bridge);
  expect((await restore(bridge, without)).body).toMatchObject({ restored: [{ name: 'config' }], missing: ['keys'] });
});

test('404 for packages that were registered by hand, list no files, or are not registered', async () => {
  const { bridge } = await startKeeper();
  await register(bridge, { name: 'hand.example.eth', backup: [{ name: 'keys', path: '/keys' }] });
  await register(bridge, { name: 'plain.example.eth' });
  for (const [name, words] of [
    ['hand.example.eth', 'does not know where the files'],
    ['plain.example.eth', 'names no files'],
    ['none.example.eth', 'is not registered'],
  ]) {
    const problem = expectProblem(await bridge.request('GET', `/api/v1/backups/${name}`), 404);
    expect(problem.detail).toContain(words);
  }
});

test('through Grafana only admins can access backups, however the path is written', async () => {
  const text = await readFile(path.join(import.meta.dirname, '..', '..', 'plugin.json'), 'utf8');
  const { routes } = JSON.parse(text) as PluginJson;
  for (const route of [BACKUP, BACKUP.replace('backups', '%62ackups'), `/api/v1/./backups/${KEEPER}`]) {
    for (const method of ['GET', 'POST']) {
      expect(matchRoute(routes, method, route)?.route.reqRole, `${method} ${route}`).toBe('Admin');
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(matchRoute(routes, method, route), `${method} ${route}`).toBeUndefined();
    }
  }
});
