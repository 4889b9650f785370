import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { databasePath } from './sqlite/database.ts';
import { openDatabase } from '../database.ts';
import type { JournalEvent } from './events.ts';
import { createStoreState, type StoreState } from './storeState.ts';
import { WriteQueue, type WriteQueueOptions } from './writeQueue.ts';
import { purge, remove } from '../../inbox/notifications/deletions.ts';
import { setCategory } from '../../inbox/categories/writes.ts';
import { receive } from '../../inbox/notifications/receiveRows.ts';
import { WRITES } from '../../writes.ts';
import { touch } from './series.ts';

let directory: string;
let queue: WriteQueue | undefined;
let other: SqliteDatabase.Database | undefined;
let state: StoreState;
beforeEach(() => {
  directory = temporaryFolder();
  state = createStoreState();
});
afterEach(async () => {
  other?.close();
  await queue?.close();
});

async function start(options: Partial<WriteQueueOptions> = {}) {
  queue = await WriteQueue.open({
    path: databasePath(directory),
    writes: WRITES,
    state,
    ...options,
  });
  other = new SqliteDatabase(databasePath(directory));
  return { queue, other };
}

const incoming = (title: string): Incoming => ({ payload: { title, body: 'B' }, source: 'api' });
const send = (...titles: string[]) => queue!.submit(receive, { incoming: titles.map(incoming), now: 1 });
const titles = (): unknown[] => other!.prepare('select title from notifications order by id').pluck().all();

it('acknowledges after the commit, when another connection sees it', async () => {
  await start();
  for (const title of ['one', 'two', 'three']) {
    await send(title);
    expect(titles().at(-1)).toBe(title);
  }
});

it('keeps the order of waiting writes of any kind', async () => {
  await start();
  const received = send('one');
  const category = queue!.submit(setCategory, { category: 'other', enabled: false, by: null, now: 1 });
  const muted = send('two');
  await Promise.all([received, category, muted]);
  expect(other!.prepare('select title, muted from notifications order by id').raw().all()).toEqual([
    ['one', 0],
    ['two', 1],
  ]);
});

it('waiting writes become one transaction', async () => {
  await start({ handOver: 100 });
  const commits: JournalEvent[][] = [];
  queue!.onEvents((events) => void commits.push(events));
  await Promise.all(Array.from({ length: 50 }, (_, index) => send(`number ${index}`)));
  expect(commits.map((events) => events.length)).toEqual([50]);
  expect(commits.flat().map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

it('an idle writer starts before all requests of a turn have been read', async () => {
  await start({ handOver: 20 });
  const commits: number[] = [];
  queue!.onEvents((events) => void commits.push(events.length));
  await Promise.all(Array.from({ length: 70 }, () => send('one')));
  expect(commits).toEqual([20, 50]);
  // Then about half of what was under way: nine tenths of it are remembered.
  commits.length = 0;
  await Promise.all(Array.from({ length: 70 }, () => send('one')));
  expect(commits).toEqual([32, 38]);
});

it('up to the batch limit', async () => {
  await start({ maxBatch: 20, handOver: 20 });
  const commits: number[] = [];
  queue!.onEvents((events) => void commits.push(events.length));
  await Promise.all(Array.from({ length: 50 }, () => send('one')));
  expect(commits).toEqual([20, 20, 10]);
});

it('one that fails does not fail the others', async () => {
  await start();
  const broken = { ...incoming('broken'), payload: { title: null as unknown as string, body: 'B' } };
  const settled = await Promise.allSettled([
    send('one'),
    queue!.submit(receive, { incoming: [incoming('with it'), broken], now: 1 }),
    send('two'),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  // A fault of the code: a retry would fail again, and the store is fine.
  expect(settled[1]).toMatchObject({
    reason: { name: 'WriteFault', stack: expect.stringMatching(/at .*receiveRows/) },
  });
  expect(state.failure).toBeUndefined();
  expect(titles()).toEqual(['one', 'two']);
  expect(other!.prepare('select sum(n) from counts where span = 0 and scope = 0').pluck().get()).toBe(2);
});

it('is bounded: a write beyond the limit is rejected at once, and the others are stored', async () => {
  await start({ maxWaiting: 3 });
  const accepted = ['one', 'two', 'three'].map((title) => send(title));
  await expect(send('four')).rejects.toMatchObject({
    name: 'StoreUnavailable',
    retryAfter: 1,
    message: expect.stringContaining('3 writes are waiting'),
  });
  expect(state.failure).toBeUndefined();
  await Promise.all(accepted);
  expect(titles()).toEqual(['one', 'two', 'three']);
  await send('five');
  expect(titles()).toHaveLength(4);
});

it('reports why it cannot write, until it can', async () => {
  await start();
  other!.exec('begin immediate');
  const settled = await Promise.allSettled([send('one'), send('two')]);
  for (const one of settled) {
    expect(one).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable', reason: 'locked' } });
  }
  expect(state.failure).toMatchObject({ reason: 'locked', cause: expect.stringMatching(/^SQLITE_BUSY/) });
  other!.exec('rollback');
  await send('three');
  expect(state.failure).toBeUndefined();
  expect(titles()).toEqual(['three']);
});

it('a write that changes nothing does not show that the database can be changed', async () => {
  await start();
  state.set('read_only', 'of a standby');
  await queue!.submit(purge, { now: 1, limit: 1 });
  expect(state.failure).toMatchObject({ reason: 'read_only' });
  await queue!.submit(touch, null);
  expect(state.failure).toBeUndefined();
  state.set('read_only', 'of a standby');
  await send('one');
  expect(state.failure).toBeUndefined();
});

it('a server that rejects a write has been reached', async () => {
  await start();
  state.set('unreachable', 'no response');
  other!.exec('begin immediate');
  await expect(queue!.submit(touch, null)).rejects.toMatchObject({ reason: 'locked' });
  expect([state.has('locked'), state.has('unreachable')]).toEqual([true, false]);
  other!.exec('rollback');
});

it('closes after the waiting writes, and accepts no more', async () => {
  await start();
  const waiting = ['one', 'two'].map((title) => send(title));
  await queue!.close();
  await Promise.all(waiting);
  expect(titles()).toEqual(['one', 'two']);
  await expect(send('three')).rejects.toMatchObject({ name: 'StoreUnavailable' });
});

it('ids are never reused, also after the newest was deleted and the program restarted', async () => {
  await start();
  const [[first]] = [await send('one')];
  await queue!.submit(remove, { ids: [first!.id], deletion: 'd', expiresTs: 2 });
  await queue!.close();
  queue = await WriteQueue.open({ path: databasePath(directory), writes: WRITES });
  const [second] = await send('two');
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
    queue!.submit(receive, { incoming: [keyed('one', 'a'), keyed('one', 'a'), keyed('two', 'b')], now: 1 }),
    queue!.submit(receive, { incoming: [keyed('one', 'a'), incoming('three')], now: 1 }),
  ]);
  expect(answers.map((rows) => rows.map(({ outcome }) => outcome))).toEqual([
    ['stored', 'duplicate', 'conflict'],
    ['duplicate', 'stored'],
  ]);
  expect(titles()).toEqual(['one', 'three']);
  expect(commits).toEqual([2]);
});

it('is bounded by bytes as well, and releases them', async () => {
  await start({ maxBytes: 3000 });
  const first = send('x'.repeat(2000));
  await expect(send('y'.repeat(2000))).rejects.toMatchObject({
    name: 'StoreUnavailable',
    message: expect.stringMatching(/^20\d\d bytes of writes are waiting/),
  });
  const small = send('small');
  await Promise.all([first, small]);
  expect(queue!.waitingBytes).toBe(0);
  await send('z'.repeat(2000));
  expect(titles()).toHaveLength(3);
});

it('a flood of one sender holds up another by one transaction at most', async () => {
  await start({ maxBatch: 10, handOver: 1000 });
  const order: string[] = [];
  const from = (sender: string, title: string) =>
    queue!.submit(receive, { incoming: [incoming(title)], now: 1 }, sender).then(() => order.push(title));
  const flood = Array.from({ length: 100 }, (_, index) => from('flood', `flood ${index}`));
  const other = [from('single', 'single 1'), from('single', 'single 2')];
  await Promise.all([...flood, ...other]);
  expect(order.slice(0, 10).filter((title) => title.startsWith('single'))).toEqual(['single 1', 'single 2']);
  const own = titles().filter((title) => String(title).startsWith('flood'));
  expect(own).toEqual(Array.from({ length: 100 }, (_, index) => `flood ${index}`));
});

it('one that is sent while a flood waits is in the next transaction that is composed', async () => {
  await start({ maxBatch: 10 });
  let done = 0;
  const flood = Array.from({ length: 200 }, (_, index) =>
    queue!.submit(receive, { incoming: [incoming(String(index))], now: 1 }, 'flood').then(() => (done += 1))
  );
  await flood[0];
  const before = done;
  await queue!.submit(receive, { incoming: [incoming('single')], now: 1 }, 'single');
  // Two transactions are under way, and it is in the third.
  expect(done - before).toBeLessThanOrEqual(30);
  await Promise.all(flood);
});

it('a sender has its share of the queue, and others are accepted meanwhile', async () => {
  await start({ maxSenderCalls: 3, maxSenderBytes: 2000 });
  const from = (sender: string, body = 'B') =>
    queue!.submit(
      receive,
      { incoming: [{ payload: { title: sender, body }, source: 'api' as const }], now: 1 },
      sender
    );
  const calls = await Promise.allSettled([from('a'), from('a'), from('a'), from('a'), from('b')]);
  expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(calls[3]).toMatchObject({ reason: { name: 'StoreUnavailable' } });
  // A call larger than the share is accepted if it is alone.
  const bytes = await Promise.allSettled([from('a', 'x'.repeat(3000)), from('a'), from('b')]);
  expect(bytes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(from('a')).resolves.toBeDefined();
});

it('a write that can never fit is rejected as too large', async () => {
  await start({ maxBytes: 3000 });
  await expect(send('x'.repeat(4000))).rejects.toMatchObject({ name: 'WriteTooLarge' });
});

it('a batch is bounded by bytes', async () => {
  await start();
  const commits: number[] = [];
  queue!.onEvents((events) => void commits.push(events.length));
  await Promise.all(Array.from({ length: 5 }, () => send('x'.repeat(1_900_000))));
  expect(commits).toEqual([2, 2, 1]);
});

it('a large call is written in slices, in its order, others pass in between, and its keys count across slices', async () => {
  await start();
  const large = Array.from({ length: 3000 }, (_, index) => incoming(`${index} ${'x'.repeat(1000)}`));
  const keyed = { ...incoming('keyed'), once: { scope: 's', key: 'k' } };
  const commits: number[] = [];
  queue!.onEvents((events) => void commits.push(events.length));
  const [rows, after] = await Promise.all([
    queue!.submit(receive, { incoming: [keyed, ...large, keyed], now: 1 }),
    send('after'),
  ]);
  expect([rows[0]!.outcome, rows.at(-1)!.outcome, rows.at(-1)!.id]).toEqual(['stored', 'duplicate', rows[0]!.id]);
  expect(Math.max(...commits)).toBe(LIMITS.sliceItems.value);
  expect([commits.length, after[0]!.id]).toEqual([8, LIMITS.sliceItems.value + 1]);
  expect(titles().filter((title) => title !== 'keyed' && title !== 'after')).toEqual(
    large.map(({ payload }) => payload.title)
  );
});

it('writes pass one by one between the slices of large calls, whoever sends them', async () => {
  await start();
  const order: string[] = [];
  const submit = (name: string, count: number, sender: string) =>
    queue!
      .submit(receive, { incoming: Array.from({ length: count }, () => incoming(name)), now: 1 }, sender)
      .then(() => order.push(name));
  const { value: slice } = LIMITS.sliceItems;
  await Promise.all([
    submit('large 1', 4 * slice, 'a'),
    submit('large 2', 4 * slice, 'a'),
    submit('large 3', 2 * slice, 'b'),
    submit('single 1', 1, 'a'),
    submit('single 2', 1, 'c'),
  ]);
  expect(order).toEqual(['single 1', 'single 2', 'large 3', 'large 1', 'large 2']);
  expect(queue!.waitingBytes).toBe(0);
});

it('a large call of which a slice fails is rejected once, and can be repeated: what was stored is stored once', async () => {
  await start();
  const keyed = (title: string): Incoming => ({ ...incoming(title), once: { scope: 's', key: title } });
  const names = Array.from({ length: 3 * LIMITS.sliceItems.value }, (_, index) => `${index}`);
  const broken = { ...keyed('broken'), payload: { title: null as unknown as string, body: 'B' } };
  const items = names.map(keyed);
  await expect(
    queue!.submit(receive, { incoming: items.toSpliced(LIMITS.sliceItems.value, 0, broken), now: 1 })
  ).rejects.toMatchObject({ name: 'WriteFault' });
  expect([queue!.waiting <= 1, queue!.waitingBytes]).toEqual([true, 0]);
  const rows = await queue!.submit(receive, { incoming: items, now: 1 });
  expect(rows.map(({ outcome }) => outcome).slice(0, LIMITS.sliceItems.value)).toEqual(
    Array.from({ length: LIMITS.sliceItems.value }, () => 'duplicate')
  );
  expect(titles().toSorted()).toEqual(names.toSorted());
});

it('a call of few notifications is stored as a whole or not at all', async () => {
  await start();
  const large = Array.from({ length: LIMITS.sliceItems.value - 1 }, (_, index) => incoming(`${index}`));
  const broken = { ...incoming('broken'), payload: { title: null as unknown as string, body: 'B' } };
  await expect(queue!.submit(receive, { incoming: [...large, broken], now: 1 })).rejects.toMatchObject({
    name: 'WriteFault',
  });
  expect(titles()).toEqual([]);
  await send('next');
  expect(titles()).toEqual(['next']);
});

/** The writer thread ends while it reads a batch: the batch is not JSON. */
const kill = () => queue!.submit(receive, { toJSON: () => undefined } as never).catch((error: unknown) => error);

it('a writer that dies is restarted: its writes are not acknowledged, later ones are stored', async () => {
  await start({ restartDelays: [1, 1] });
  const killed = await kill();
  expect(killed).toMatchObject({
    name: 'StoreUnavailable',
    reason: 'writer_stopped',
    message: expect.stringContaining('may have been stored'),
  });
  expect(state.failure?.reason).toBe('writer_stopped');
  await expect(send('too early')).rejects.toMatchObject({
    reason: 'writer_stopped',
    message: expect.stringContaining('Nothing of this request was stored'),
  });
  await vi.waitFor(() => expect(state.failure).toBeUndefined(), { timeout: 60_000 });
  await send('after');
  expect(titles()).toEqual(['after']);
  expect(queue!.waitingBytes).toBe(0);
});

it('a writer that keeps dying is not restarted, and the cause is reported once', async () => {
  const lost: Error[] = [];
  await start({ restartDelays: [1], onLost: (cause) => lost.push(cause) });
  await kill();
  await vi.waitFor(() => expect(state.failure).toBeUndefined(), { timeout: 60_000 });
  await kill();
  await vi.waitFor(() => expect(lost).toHaveLength(1), { timeout: 60_000 });
  expect(lost[0]!.message).toContain('JSON');
  expect(state.failure?.reason).toBe('writer_stopped');
});

it('a full database is reported with SQLite’s own error', async () => {
  await start();
  await send('before');
  other!.pragma('wal_checkpoint(truncate)');
  await queue!.close();
  queue = undefined;
  const pages = other!.pragma('page_count', { simple: true }) as number;
  const db = openDatabase(databasePath(directory));
  await sql.raw(`pragma max_page_count = ${pages + 2}`).execute(db);
  const filled = db.transaction().execute(async (trx) => {
    await sql`create table filler (x)`.execute(trx);
    await sql`insert into filler values (zeroblob(1000000))`.execute(trx);
  });
  await expect(filled).rejects.toMatchObject({ code: 'SQLITE_FULL', message: 'database or disk is full' });
  await db.destroy();
});

it('a server that responds with another failure can be reached', async () => {
  const { other } = await start({ reasonOf: () => 'read_only' });
  other.exec("create trigger refuse before insert on series begin select raise(abort, 'read-only'); end");
  state.set('unreachable', 'no response');
  await expect(queue!.submit(touch, null)).rejects.toMatchObject({ reason: 'read_only' });
  expect(state.failure).toMatchObject({ reason: 'read_only' });
  expect(state.has('unreachable')).toBe(false);
});
