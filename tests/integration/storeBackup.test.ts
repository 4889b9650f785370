/** Backup, restore and migration of the store by the command line, beside a bridge that runs. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { run } from '../../backend-bridge/src/cli/cliWorld.testing.ts';
import { TEST_ENGINE, testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { contentOf } from '../../backend-bridge/src/platform/backup/transferWorld.testing.ts';
import { envOf, makeStore, nodebell, placeOf } from './storeBackup.testing.ts';
import { Listener } from './listener.ts';
import { NOTIFICATIONS, TestBridge } from './support.ts';

let bridge: TestBridge | undefined;
afterEach(async () => {
  await bridge?.dispose();
  bridge = undefined;
});

const send = async (title: string, correlationId = title): Promise<number> =>
  (await bridge!.request('POST', NOTIFICATIONS, { title, body: 'b', correlationId })).body.id as number;

const read = async (dataDir: string, query: string): Promise<unknown[][]> =>
  (await placeOf(dataDir)).read(async (db) => {
    const { rows } = await sql.raw<Record<string, unknown>>(query).execute(db);
    return rows.map((row) => Object.values(row));
  });

describe('a backup', () => {
  test('of a bridge that receives is one consistent state, with everything that was acknowledged before', async () => {
    bridge = await TestBridge.start();
    let sending = true;
    const acknowledged: number[] = [];
    const sender = async (name: string): Promise<void> => {
      for (let count = 0; sending; count += 1) {
        acknowledged.push(await send(`${name} ${count}`, `${name} ${count % 50}`));
      }
    };
    const senders = ['a', 'b', 'c', 'd'].map(sender);
    const target = temporaryFolder();
    for (let round = 0; round < 3; round += 1) {
      const before = [...acknowledged];
      const backup = await nodebell(['backup', '--to', `${target}/`], await envOf(bridge.dataDir));
      expect(backup).toMatchObject({ code: 0, out: expect.stringMatching(/nodebell-\d{8}T\d{6}Z\.jsonl\.zst\n$/) });
      const restored = path.join(target, `${round}`);
      const env = { STORE: await testAddress(restored) };
      const { code } = await run(['restore', backup.out.trim(), '--into', '$STORE'], { env });
      expect(code).toBe(0);
      const ids = (await read(restored, 'select id from notifications order by id')).flat();
      expect(ids).toEqual(ids.map((_, index) => index + 1));
      expect(ids.length).toBeGreaterThanOrEqual(before.length);
      expect(ids).toEqual(expect.arrayContaining(before));
      const counted = await read(restored, 'select sum(n) from counts where span = 0 group by scope order by scope');
      expect(counted.flat()).toEqual([ids.length, ...(await read(restored, 'select count(*) from threads')).flat()]);
      const threads = await read(restored, 'select id, count, head_id from threads order by id');
      const members =
        'select thread_id, count(*) as n, max(id) as head from notifications group by thread_id order by 1';
      expect(threads).toEqual(await read(restored, members));
    }
    sending = false;
    await Promise.all(senders);
  });

  test('is recorded, and the newest are kept', async () => {
    bridge = await TestBridge.start();
    await send('one');
    const target = temporaryFolder();
    const others = ['nodebell-20200101T000000Z.jsonl.zst', 'nodebell-20200102T000000Z.jsonl.zst', 'notes.txt'];
    others.forEach((name) => writeFileSync(path.join(target, name), ''));
    const env = await envOf(bridge.dataDir);
    const { code, out } = await run(['backup', '--to', target, '--keep', '2', '--json'], { env });
    const { file, createdAt, bytes } = JSON.parse(out) as Record<string, unknown>;
    expect([code, readdirSync(target)]).toEqual([0, [others[1], path.basename(file as string), 'notes.txt']]);
    expect((await bridge.request('GET', '/api/v1/status')).body.storeBackup).toEqual({
      at: createdAt,
      file,
      bytes,
      notifications: 1,
    });
  });

  test('is complete when an old one cannot be removed', async () => {
    const dir = temporaryFolder();
    await makeStore(dir);
    const target = temporaryFolder();
    mkdirSync(path.join(target, 'nodebell-20200101T000000Z.jsonl.zst'));
    const { code, out, err } = await run(['backup', '--to', target, '--keep', '1'], { env: await envOf(dir) });
    expect([code, readdirSync(target)]).toEqual([
      1,
      ['nodebell-20200101T000000Z.jsonl.zst', path.basename(out.trim())],
    ]);
    expect(err).toContain('the backup is complete, but old ones could not be removed');
  });

  test('of a damaged database is refused', async () => {
    const dir = temporaryFolder();
    writeFileSync(path.join(dir, 'nodebell.db'), 'x'.repeat(8192));
    const ran = await run(['backup', '--data-dir', dir, '--to', dir]);
    expect(ran).toEqual({ code: 1, out: '', err: expect.stringContaining('the store failed (corrupt)') });
    expect(readdirSync(dir)).toEqual(['nodebell.db']);
  });

  test.each([
    [['--to', '/nowhere/backup'], 1, /cannot be written \(ENOENT\)/],
    [['--to', '/dev/null/backups/'], 1, /\/dev\/null\/backups\/ cannot be made \(ENOTDIR\)/],
    [['--data-dir', '/nowhere'], 1, /\/nowhere\/nodebell\.db does not exist/],
    [['--to', 'file', '--keep', '3'], 2, /--keep needs a folder/],
    [['--keep', '0'], 2, /Expected a whole number/],
  ])('%j is refused', async (args, code, message) => {
    const dir = temporaryFolder();
    await makeStore(dir);
    const ran = await run(['backup', ...args], { env: await envOf(dir) });
    expect(ran).toEqual({ code, out: '', err: expect.stringMatching(message) });
  });
});

describe('a restore', () => {
  test("of yesterday's backup loses only what came after it, and reports it", async () => {
    bridge = await TestBridge.start();
    const { dataDir } = bridge;
    await send('yesterday');
    const file = path.join(temporaryFolder(), 'b.jsonl.zst');
    const env = await envOf(dataDir);
    await run(['backup', '--to', file], { env });
    const restore = (args: string[] = [], confirm?: (question: string) => Promise<boolean>) =>
      run(['restore', file, ...args], { env, ...(confirm && { confirm }) });

    expect(await restore(['--yes'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/in use by another bridge|is in use \(nodebell/),
    });
    bridge.clock.advance(86_400_000);
    await send('today');
    bridge.clock.advance(1000);
    await send('later');
    await bridge.stop();

    const asked = await restore();
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('add --yes') });
    expect(asked.err).toContain(
      'has 3 notifications. 2 of them came after this backup (from 2026-11-22T10:00:00.000Z to 2026-11-22T10:00:01.000Z) and will be lost.'
    );
    expect(await restore([], () => Promise.resolve(false))).toMatchObject({ code: 1 });
    expect(await read(dataDir, 'select title from notifications')).toHaveLength(3);
    const done = await restore([], () => Promise.resolve(true));
    expect(done.code).toBe(0);
    const kept =
      TEST_ENGINE === 'sqlite' ? /The old store is .*nodebell\.db\.before-restore-/ : /^(?!.*The old store is)/s;
    expect(done.err).toMatch(kept);

    await bridge.start();
    expect([await bridge.titles(''), await bridge.titles('q=yesterday')]).toEqual([['yesterday'], ['yesterday']]);
    expect(await send('new')).toBe(2);
  });

  test('makes a page load everything again, also one that returns after as many events as were lost', async () => {
    bridge = await TestBridge.start();
    const env = await envOf(bridge.dataDir);
    const file = path.join(temporaryFolder(), 'b.jsonl.zst');
    await send('kept');
    await run(['backup', '--to', file], { env });
    await send('lost');
    await bridge.stop();
    expect(await run(['restore', file, '--yes'], { env })).toMatchObject({ code: 0 });
    await bridge.start();
    await send('new');
    await send('newer');
    const listener = await Listener.connect(bridge, 2);
    expect(await listener.until(1)).toMatchObject([{ type: 'reset' }]);
    await send('newest');
    expect(await listener.until(2)).toMatchObject([{}, { data: { notification: { title: 'newest' } } }]);
    await listener.close();
  });

  test('--check verifies only', async () => {
    const dir = temporaryFolder();
    await makeStore(dir);
    const file = path.join(dir, 'b.jsonl.zst');
    await run(['backup', '--to', file], { env: await envOf(dir) });
    const checked = await run(['restore', '--check', file]);
    expect(checked).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/: 3 notifications, \d+ rows, \d+ kB\. It is whole\.\n$/),
    });
    writeFileSync(file, 'SQLite format 3');
    expect(await run(['restore', '--check', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a backup'),
    });
  });
});

describe('a migration', () => {
  test('copies all tables; source and target must not be in use', async () => {
    const [from, to] = [temporaryFolder(), path.join(temporaryFolder(), 'new')];
    await makeStore(from);
    const content = await contentOf(await placeOf(from));
    const migrate = async (source: string, target: string) =>
      run(['migrate', '--from', '$FROM', '--to', '$TO'], {
        env: { FROM: await testAddress(source), TO: await testAddress(target) },
      });
    const moved = await migrate(from, to);
    expect(moved).toMatchObject({ code: 0, err: expect.stringContaining('All tables are equal') });
    expect(moved.out).toMatch(/^TABLE +ROWS +CHECKSUM\n(?:\w+ +\d+ +[0-9a-f]{16}\n)+$/);
    expect([await contentOf(await placeOf(to)), await contentOf(await placeOf(from))]).toEqual([content, content]);
    expect(await migrate(from, to)).toMatchObject({ code: 1, err: expect.stringContaining('in use already') });

    bridge = await TestBridge.start();
    expect(await migrate(bridge.dataDir, temporaryFolder())).toMatchObject({ code: 3 });
    expect(await migrate(from, bridge.dataDir)).toMatchObject({ code: 3 });
  });

  test('does not replace a store in which somebody has configured something', async () => {
    const from = temporaryFolder();
    await makeStore(from);
    bridge = await TestBridge.start();
    await bridge.call('PUT', '/api/v1/retention', { maxNotifications: 1000 });
    await bridge.stop();
    const env = { FROM: await testAddress(from), TO: await testAddress(bridge.dataDir) };
    expect(await run(['migrate', '--from', '$FROM', '--to', '$TO'], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('in use already'),
    });
    expect(await read(bridge.dataDir, 'select action from audit')).toEqual([['retention.change']]);
  });

  test.each([
    [['--from', 'a'], /one of --to and --to-file is required/],
    [['--from', 'postgres://u:secret@h/d', '--to', 'a'], /contains a password/],
    [['--from', '$MISSING', '--to', 'a'], /MISSING is not set/],
    [['--from', 'a', '--from-file', 'b', '--to', 'a'], /one of --from and --from-file/],
    [['--from', 'other.db', '--to', 'a'], /found other\.db/],
    [['--from-file', '/none', '--to', 'a'], /cannot read \/none \(ENOENT\)/],
  ])('%j is invalid', async (args, message) => {
    const ran = await run(['migrate', ...args]);
    expect(ran).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
    expect(ran.err).not.toContain('secret');
  });
});

test.each([
  [['backup'], { NODEBELL_DATABASE_URL: 'postgres://u:sec/ret@h/d' }],
  [['restore', '--into', '$STORE', 'b.jsonl.zst'], { STORE: 'postgres://u:sec/ret@h/d' }],
  [['migrate', '--from', 'postgres://u:sec/ret@h/d', '--to', 'a'], {}],
])('%j with a URL that cannot be read is invalid, and the URL is not shown', async (args, env) => {
  const ran = await run(args, { env });
  expect(ran).toEqual({ code: 2, out: '', err: expect.stringContaining('Percent-encode') });
  expect(ran.err).not.toContain('sec/ret');
});
