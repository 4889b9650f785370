/** Real threads: those of the bridge, and small ones that fail in other ways. */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { readList, readUnseen } from '../../inbox/notifications/reads.ts';
import { READS } from '../../reads.ts';
import { migrate, openDatabase } from '../database.ts';
import { type Answer, NotWanted, type Read } from './read.ts';
import { StoreUnavailable } from './storeError.ts';
import { databasePath } from './sqlite/database.ts';
import { ReadPool, type ReadPoolOptions } from './readPool.ts';

let directory: string;
let path: string;
let pool: ReadPool | undefined;
beforeEach(() => {
  directory = temporaryFolder();
  path = databasePath(directory);
});
afterEach(async () => {
  await pool?.close();
});

const poolOf = (options: Partial<ReadPoolOptions>): ReadPool =>
  (pool = new ReadPool({ path, reads: READS, now: Date.now, ...options }));

const textOf = ({ body }: Answer): string => new TextDecoder().decode(body);

describe('with the threads of the bridge', () => {
  it('returns the body as bytes, and what else the read returns', async () => {
    const db = openDatabase(path);
    await migrate(db);
    await db.destroy();
    const reads = poolOf({});
    const list = await reads.run(readList, { filter: {}, limit: 10, after: undefined, reader: undefined });
    expect({ ...list, body: textOf(list) }).toEqual({ body: '[]', next: undefined });
    expect(JSON.parse(textOf(await reads.run(readUnseen, { reader: undefined })))).toEqual({
      unseenCount: 0,
      byCategory: {},
    });
  });

  it('reports the code of the database', async () => {
    writeFileSync(path, 'no database '.repeat(1000));
    const onError = vi.fn();
    const read = poolOf({ onError }).run(readUnseen, { reader: undefined });
    await expect(read).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'SQLITE_NOTADB' }));
  });
});

/** A thread that runs all its reads concurrently. By the name of the read, it returns its id, exits, exhausts its heap, or waits for the test. */
const THREAD = `
  import { parentPort, threadId } from 'node:worker_threads';
  const running = [];
  parentPort.on('message', (request) => running.push(answer(request, [...running])));
  const answer = async (request, before) => {
    if (request === 'close') { await Promise.all(before); parentPort.close(); return; }
    const { name, args } = request;
    if (name === 'crash') { process.exit(3); }
    if (name === 'heap') { const all = []; for (;;) { all.push(Array.from({ length: 1e5 }, Math.random)); } }
    if (name === 'wait') { await Atomics.waitAsync(new Int32Array(args), 0, 0).value; }
    parentPort.postMessage({ id: request.id, ok: true, answer: { thread: threadId } });
  };`;

type Numbered = Answer & { thread: number };
const never = (): Promise<never> => Promise.reject(new Error('not in this thread'));
const number: Read<null, Numbered> = () => never();
const crash: Read<null> = () => never();
const heap: Read<null> = () => never();
const wait: Read<SharedArrayBuffer> = () => never();
const reads = {
  thread: new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`),
  kinds: { number, crash, heap, wait },
};

function gate(): { buffer: SharedArrayBuffer; open: () => void } {
  const buffer = new SharedArrayBuffer(4);
  const open = (): void => {
    Atomics.store(new Int32Array(buffer), 0, 1);
    Atomics.notify(new Int32Array(buffer), 0);
  };
  return { buffer, open };
}

it('uses one thread while it is used, and another after it has been idle', async () => {
  const one = poolOf({ reads, idleMs: 60_000 });
  const first = await one.run(number, null);
  expect(await one.run(number, null)).toEqual(first);
  await one.close();
  const other = poolOf({ reads, idleMs: 0 });
  const { thread } = await other.run(number, null);
  await vi.waitFor(async () => expect((await other.run(number, null)).thread).not.toBe(thread));
});

it('runs as many reads at a time as it has threads', async () => {
  const { buffer, open } = gate();
  const two = poolOf({ reads, threads: 2 });
  const held = two.run(wait, buffer);
  await two.run(number, null);
  const alsoHeld = two.run(wait, buffer);
  const last = two.run(number, null);
  open();
  await expect(Promise.all([held, alsoHeld, last])).resolves.toHaveLength(3);
});

it('runs as many reads at a time in a thread as it may', async () => {
  const { buffer, open } = gate();
  const one = poolOf({ reads, readsOfThread: 2 });
  const held = one.run(wait, buffer);
  const { thread } = await one.run(number, null);
  const alsoHeld = one.run(wait, buffer);
  const last = one.run(number, null);
  open();
  expect(await Promise.all([held, alsoHeld, last])).toEqual(Array.from({ length: 3 }, () => ({ thread })));
});

it('drops a read that nobody waits for when its turn comes', async () => {
  const { buffer, open } = gate();
  const one = poolOf({ reads });
  const held = one.run(wait, buffer);
  const dropped = expect(one.run(crash, null, () => false)).rejects.toBeInstanceOf(NotWanted);
  const last = one.run(number, null, () => true);
  open();
  const [{ thread }] = await Promise.all([last, held, dropped]);
  expect(thread).toEqual(expect.any(Number));
});

it.each([
  ['crashes', crash],
  ['uses up its heap', heap],
])('a thread that %s takes one read with it; another thread runs those that wait', async (_how, read) => {
  const onDeath = vi.fn();
  const one = poolOf({ reads, onDeath });
  const before = await one.run(number, null);
  const lost = expect(one.run(read, null)).rejects.toBeInstanceOf(StoreUnavailable);
  const after = await one.run(number, null);
  await lost;
  expect(after.thread).not.toBe(before.thread);
  expect(onDeath).toHaveBeenCalledOnce();
});

it('a thread that cannot start is started once for all that wait', async () => {
  const onDeath = vi.fn();
  const thread = new URL(`data:text/javascript,${encodeURIComponent("throw new Error('broken')")}`);
  const one = poolOf({ reads: { ...reads, thread }, onDeath });
  const all = await Promise.allSettled([one.run(number, null), one.run(number, null), one.run(number, null)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(onDeath).toHaveBeenCalledOnce();
});

it('finishes what it reads when it is closed, and reads nothing afterwards', async () => {
  const { buffer, open } = gate();
  const one = poolOf({ reads });
  const held = one.run(wait, buffer);
  const waiting = expect(one.run(number, null)).rejects.toBeInstanceOf(StoreUnavailable);
  const closed = one.close();
  open();
  await Promise.all([held, waiting, closed]);
  await expect(one.run(number, null)).rejects.toBeInstanceOf(StoreUnavailable);
});

it('rejects a read that is not in its table', async () => {
  await expect(poolOf({}).run(number, null)).rejects.toThrow('The read number is not in the table of reads.');
});
