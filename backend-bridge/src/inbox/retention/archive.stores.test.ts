/** Archive files: on disk before rows are deleted, and imported again with ids, times and threads. */
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { archivedRow } from './archived.testing.ts';
import { type Archived, archivedSchema } from '../../../contract/archive.ts';
import { sizeBytes } from '../../../contract/retention.ts';
import { isoTime } from '../../../contract/text.ts';
import { resolveByHand } from '../notifications/resolving.ts';
import { DAY, inconsistencies, openWorld, START, type World } from './retention.testing.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const POLICY = { rules: [{ olderThan: '30d' }], archive: true };

async function archived({ archiveDir }: World): Promise<Archived[]> {
  const names = await readdir(archiveDir);
  const texts = await Promise.all(names.sort().map((name) => readFile(path.join(archiveDir, name))));
  return texts.flatMap((text) =>
    gunzipSync(text)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Archived)
  );
}

const everything = async ({ db }: World) => ({
  notifications: await db.selectFrom('notifications').selectAll().orderBy('id').execute(),
  threads: await db.selectFrom('threads').selectAll().orderBy('correlation_id').execute(),
});

it('writes all that it removes, readable for the owner only, and imports it as it was, as read', async () => {
  world = await openWorld();
  const ids = await world.send(
    { correlationId: 'a', status: 'triggered', isBanner: true, callToAction: { title: 'Open', url: '/d/1' } },
    { correlationId: 'b', title: 'ünï', body: 'x'.repeat(5000), category: 'hardware', priority: 'critical' },
    { correlationId: 'c', errors: 'wrong' }
  );
  await world.writes.submit(resolveByHand, { id: ids[0]!, by: null, now: START + 5 });
  const before = await everything(world);
  await world.pass(31 * DAY);
  await world.retention.set(POLICY, null);
  await world.retention.run();
  expect(await world.ids()).toEqual([]);
  const lines = await archived(world);
  expect(lines.map(({ id }) => id)).toEqual(before.notifications.map(({ id }) => id));
  expect(lines[0]).toMatchObject({ timestamp: isoTime(START), isBanner: true, seen: false, statusGiven: true });
  const [name] = await readdir(world.archiveDir);
  expect(name).toMatch(/^notifications-2026-12-22-000001\.jsonl\.gz$/);
  const modes = await Promise.all([world.archiveDir, path.join(world.archiveDir, name!)].map((one) => stat(one)));
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);

  world.events.length = 0;
  const first = await world.retention.import(lines.toReversed(), null);
  expect(first).toMatchObject({ imported: 4, present: 0, conflicts: [] });
  const again = await world.retention.import(lines.toReversed(), null);
  expect(again).toMatchObject({ imported: 0, present: 4, conflicts: [] });
  expect(world.events).toEqual([]);
  const after = await everything(world);
  const read = (row: (typeof before.notifications)[number]) => ({ ...row, seen: 1, turned: 0, thread_id: 0 });
  expect(after.notifications.map((row) => ({ ...row, thread_id: 0 }))).toEqual(before.notifications.map(read));
  expect(after.threads.map((row) => ({ ...row, id: 0 }))).toEqual(
    before.threads.map((row) => ({ ...row, id: 0, unseen: 0 }))
  );
  expect(await inconsistencies(world.db)).toEqual([]);
  // It is not removed again at once.
  await world.retention.run();
  expect(await world.ids()).toHaveLength(4);
  await world.pass(7 * DAY);
  await world.retention.run();
  expect(await world.ids()).toEqual([]);
});

it('a trigger without its resolve comes back as an event, not as an open thread', async () => {
  world = await openWorld();
  await world.send({ correlationId: 'a', status: 'triggered', isBanner: true });
  await world.send({ correlationId: 'a', status: 'resolved' });
  await world.pass(31 * DAY);
  await world.retention.set(POLICY, null);
  await world.retention.run();
  const [trigger, resolve] = await archived(world);
  await world.retention.import([trigger!], null);
  const state = async () => (await world!.db.selectFrom('threads').select(['state', 'count']).execute())[0];
  expect(await state()).toEqual({ state: 'event', count: 1 });
  // Newer ones are to be imported first: the state of a stored thread stays.
  await world.retention.import([resolve!], null);
  expect(await state()).toEqual({ state: 'event', count: 2 });
  expect(await inconsistencies(world.db)).toEqual([]);
});

it('ids that belong to other notifications are conflicts; new ones get ids after what was imported', async () => {
  world = await openWorld();
  const [id] = await world.send({ title: 'Mine' });
  const foreign = archivedRow({ id: id!, title: 'Theirs' });
  const result = await world.retention.import([foreign, { ...foreign, id: 500 }], null);
  expect(result).toMatchObject({ imported: 1, present: 0, conflicts: [id] });
  const [next] = await world.send({});
  expect(next).toBeGreaterThan(500);
  const { title } = await world.db
    .selectFrom('notifications')
    .select('title')
    .where('id', '=', id!)
    .executeTakeFirstOrThrow();
  expect(title).toBe('Mine');
});

it('removes nothing while the archive cannot be written, and reports it; a broken end of a file is not continued', async () => {
  const disk = { full: true };
  world = await openWorld((files) => ({
    ...files,
    append: (lines) => (disk.full ? Promise.reject(new Error('ENOSPC: no space left')) : files.append(lines)),
  }));
  const ids = await world.send({}, {});
  await world.pass(31 * DAY);
  await world.retention.set(POLICY, null);
  await world.retention.run();
  expect(await world.ids()).toEqual(ids);
  expect((await world.retention.status()).error).toContain('ENOSPC');
  disk.full = false;
  await world.retention.run();
  expect(await world.ids()).toEqual([]);
  expect((await world.retention.status()).error).toBeUndefined();
  expect(await archived(world)).toHaveLength(2);
});

it('reports the rest while the archive folder cannot be read', async () => {
  world = await openWorld();
  await world.send({}, {});
  await writeFile(world.archiveDir, 'no folder');
  const { archive, archiveError, ...rest } = await world.retention.status();
  expect([archive, archiveError]).toEqual([undefined, expect.stringContaining(world.archiveDir)]);
  expect(rest).toMatchObject({ policy: {}, notifications: 2 });
});

it('files beyond the limit are deleted also while none can be written', async () => {
  const full = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  world = await openWorld((files) => ({ ...files, append: full }));
  await mkdir(world.archiveDir, { recursive: true });
  await writeFile(path.join(world.archiveDir, 'notifications-2020-01-01-000001.jsonl.gz'), 'x'.repeat(2_000_000));
  await world.send({});
  await world.pass(40 * DAY);
  await world.retention.set({ ...POLICY, maxArchiveBytes: '1MB' }, null);
  await world.retention.run();
  expect([await world.ids(), await readdir(world.archiveDir)]).toEqual([[1], []]);
});

it('one pass does not exceed the limit by more than what is written at once', async () => {
  const sizes: number[] = [];
  world = await openWorld((files) => ({
    ...files,
    async append(lines) {
      await files.append(lines);
      sizes.push((await files.size()).bytes);
      // Another day, and another file.
      world!.clock.wall += DAY;
    },
  }));
  await world.send(...Array.from({ length: 200 }, () => ({ body: randomBytes(50_000).toString('hex') })));
  await world.pass(40 * DAY);
  await world.retention.set({ ...POLICY, maxArchiveBytes: '4MB' }, null);
  await world.retention.run();
  expect(await world.ids()).toEqual([]);
  expect(sizes.length).toBeGreaterThan(3);
  expect(Math.max(...sizes)).toBeLessThan(sizeBytes('4MB') + sizes[0]! * 1.1);
});

it('another start of the bridge begins another file', async () => {
  world = await openWorld();
  const { createArchive } = await import('./archiveFiles.ts');
  const start = () => createArchive(world!.archiveDir, () => START);
  const first = start();
  await first.append(['1', '2']);
  await first.append(['3']);
  await first.close();
  const [name] = await readdir(world.archiveDir);
  await appendFile(path.join(world.archiveDir, name!), 'the end that a crash left');
  const second = start();
  await second.append(['4']);
  expect(await second.size()).toMatchObject({ files: 2 });
  const names = (await readdir(world.archiveDir)).sort();
  expect(gunzipSync(await readFile(path.join(world.archiveDir, names[1]!))).toString()).toBe('4\n');
  await second.prune(1);
  // The file being written stays.
  expect(await readdir(world.archiveDir)).toEqual([names[1]]);
  await second.close();
});

it.each([
  ['https://example.org/é', true],
  ['/d/host', true],
  ['javascript:alert(1)', false],
  ['geth.example.eth', false],
])('a line with the link %s is accepted: %s', (url, isAccepted) => {
  const line = archivedRow({ callToAction: { title: 'Open', url } });
  expect(archivedSchema.safeParse(line).success).toBe(isAccepted);
});
