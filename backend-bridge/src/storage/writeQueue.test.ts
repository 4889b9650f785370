import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Incoming } from '../notifications/receive.ts';
import { databasePath } from './database.ts';
import type { JournalEvent } from './events.ts';
import { createWriteQueue, type WriteQueue, type WriteQueueOptions } from './writeQueue.ts';

let directory: string;
let queue: WriteQueue | undefined;
let other: SqliteDatabase.Database | undefined;
const failures: string[] = [];
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'nodebell-queue-'));
  failures.length = 0;
});
afterEach(async () => {
  other?.close();
  await queue?.close();
  await rm(directory, { recursive: true, force: true });
});

async function start(options: Partial<WriteQueueOptions> = {}) {
  queue = await createWriteQueue({
    path: databasePath(directory),
    onFailure: (message) => failures.push(message),
    ...options,
  });
  other = new SqliteDatabase(databasePath(directory));
  return { queue, other };
}

const incoming = (title: string): Incoming => ({ payload: { title, body: 'B' }, source: 'api' });
const receive = (...titles: string[]) => queue!.submit('receive', { incoming: titles.map(incoming), now: 1 });
const titles = (): unknown[] => other!.prepare('select title from notifications order by id').pluck().all();

it('acknowledges after the commit: another connection sees it then', async () => {
  await start();
  for (const title of ['one', 'two', 'three']) {
    await receive(title);
    expect(titles().at(-1)).toBe(title);
  }
});

it('keeps the order of those who wait, whatever they want', async () => {
  await start();
  const received = receive('one');
  const category = queue!.submit('setCategory', { category: 'other', enabled: false, by: null, now: 1 });
  const muted = receive('two');
  await Promise.all([received, category, muted]);
  expect(other!.prepare('select title, muted from notifications order by id').raw().all()).toEqual([
    ['one', 0],
    ['two', 1],
  ]);
});

it('all that wait together are one transaction', async () => {
  await start();
  const commits: JournalEvent[][] = [];
  queue!.onEvents((events) => void commits.push(events));
  await Promise.all(Array.from({ length: 50 }, (_, index) => receive(`number ${index}`)));
  expect(commits.map((events) => events.length)).toEqual([50]);
  expect(commits.flat().map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

it('but no more than are allowed in one', async () => {
  await start({ maxBatch: 20 });
  const commits: number[] = [];
  queue!.onEvents((events) => void commits.push(events.length));
  await Promise.all(Array.from({ length: 50 }, () => receive('one')));
  expect(commits).toEqual([20, 20, 10]);
});

it('one that cannot be stored takes no other with it', async () => {
  await start();
  const broken = { ...incoming('broken'), payload: { title: null as unknown as string, body: 'B' } };
  const settled = await Promise.allSettled([
    receive('one'),
    queue!.submit('receive', { incoming: [incoming('with it'), broken], now: 1 }),
    receive('two'),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(titles()).toEqual(['one', 'two']);
  expect(other!.prepare('select sum(n) from counts where span = 0 and scope = 0').pluck().get()).toBe(2);
});

it('is bounded: who comes too late is told at once, and the others are stored', async () => {
  await start({ maxWaiting: 3 });
  const accepted = ['one', 'two', 'three'].map((title) => receive(title));
  await expect(receive('four')).rejects.toMatchObject({
    kind: 'unavailable',
    status: 503,
    headers: { 'Retry-After': '1' },
    message: expect.stringContaining('3 writes are waiting'),
  });
  expect(failures).toEqual([]);
  await Promise.all(accepted);
  expect(titles()).toEqual(['one', 'two', 'three']);
  await receive('five');
  expect(titles()).toHaveLength(4);
});

it('says why it cannot write, and forgets it when it can', async () => {
  await start();
  other!.exec('begin immediate');
  const settled = await Promise.allSettled([receive('one'), receive('two')]);
  for (const one of settled) {
    expect(one).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable', headers: { 'Retry-After': '1' } } });
  }
  expect(queue!.failure).toMatch(/^SQLITE_BUSY/);
  expect(failures).toHaveLength(2);
  other!.exec('rollback');
  await receive('three');
  expect(queue!.failure).toBeUndefined();
  expect(titles()).toEqual(['three']);
});

it('ends after what was waiting, and takes nothing more', async () => {
  await start();
  const waiting = ['one', 'two'].map((title) => receive(title));
  await queue!.close();
  await Promise.all(waiting);
  expect(titles()).toEqual(['one', 'two']);
  await expect(receive('three')).rejects.toMatchObject({ kind: 'unavailable' });
});

it('numbers are given out once, also after the newest was deleted and the program started again', async () => {
  await start();
  const [[first]] = [await receive('one')];
  await queue!.submit('deleteThese', { ids: [first!.id], wholeThreads: false, deletion: 'd', expiresTs: 2, limit: 1 });
  await queue!.close();
  queue = await createWriteQueue({ path: databasePath(directory) });
  const [second] = await receive('two');
  expect(second!.id).toBe(first!.id + 1);
});

it('the same key twice in one call, or in two that wait together, is stored once', async () => {
  await start();
  const keyed = (title: string, hash: string): Incoming => ({
    ...incoming(title),
    once: { scope: 's', key: 'k', hash },
  });
  const commits: number[] = [];
  queue!.onEvents((events) => void commits.push(events.length));
  const answers = await Promise.all([
    queue!.submit('receive', { incoming: [keyed('one', 'a'), keyed('one', 'a'), keyed('two', 'b')], now: 1 }),
    queue!.submit('receive', { incoming: [keyed('one', 'a'), incoming('three')], now: 1 }),
  ]);
  expect(answers.map((rows) => rows.map(({ outcome }) => outcome))).toEqual([
    ['stored', 'duplicate', 'conflict'],
    ['duplicate', 'stored'],
  ]);
  expect(titles()).toEqual(['one', 'three']);
  expect(commits).toEqual([2]);
});
