import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from './httpServer.testing.ts';
import { ReadGate, type ReadGateLimits } from './readGate.ts';

const until = (check: () => void) => vi.waitFor(check, { interval: 5 });
const turn = () => new Promise((resolve) => setImmediate(resolve));
const settled = async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    await turn();
  }
};

/** Reads that each hold 10 bytes: a gate for 40 of them, 20 of one owner. */
function world(limits: Partial<ReadGateLimits> = {}, { destroyed = false } = {}) {
  const gate = new ReadGate({ readBytes: 40, readBytesOfOne: 20, ...limits });
  const started: string[] = [];
  /** @returns ends the response, with so many bytes that its client has not read yet */
  const read = (owner: string) => {
    const socket = { writableLength: 0 };
    const res = Object.assign(new EventEmitter(), { socket, destroyed }) as unknown as ServerResponse;
    const entered = gate.enter(res, owner, 5).then(() => void started.push(owner));
    return {
      entered,
      end: (unread = 0) => {
        socket.writableLength = unread;
        res.emit('prefinish');
      },
      again: () => gate.enter(res, owner, 5),
      close: () => res.emit('close'),
      leave: () => gate.leave(res),
    };
  };
  return { read, started };
}

test('reads start while their responses fit, of one owner and of all', async () => {
  const { read, started } = world();
  const a = ['a', 'a', 'a'].map(read);
  ['b', 'b', 'c'].forEach(read);
  await settled();
  expect(started).toEqual(['a', 'a', 'b', 'c']);
  a[0]!.end();
  await settled();
  expect(started).toHaveLength(5);
});

test('owners take turns: many waiting reads of one delay that of another by one', async () => {
  const { read, started } = world({ readBytes: 10, readBytesOfOne: 10 });
  const running = ['a', 'a', 'a', 'b', 'c'].map((owner) => ({ owner, ...read(owner) }));
  for (let served = 1; served <= 5; served += 1) {
    await settled();
    expect(started).toHaveLength(served);
    const index = running.findIndex(({ owner }) => owner === started.at(-1));
    running.splice(index, 1)[0]!.close();
  }
  expect(started).toEqual(['a', 'a', 'b', 'c', 'a']);
});

test('a response holds what its client has not read, until it is closed', async () => {
  const { read, started } = world({ readBytes: 20 });
  const [first] = [read('a'), read('b')];
  read('c');
  await settled();
  first.end(1);
  await settled();
  expect(started).toEqual(['a', 'b']);
  first.close();
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('a read whose client goes away does not start', async () => {
  const { read, started } = world({ readBytes: 10 });
  const [first, second] = [read('a'), read('b'), read('c')];
  second.close();
  first.close();
  await settled();
  expect(started).toEqual(['a', 'c']);
});

test('a read that is admitted is not admitted again', async () => {
  const { read, started } = world({ readBytes: 20 });
  const [first] = [read('a'), read('b'), read('c')];
  await settled();
  await first.again();
  first.close();
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('a read whose client has gone before it asks does not start', async () => {
  const { read, started } = world({}, { destroyed: true });
  read('a');
  await settled();
  expect(started).toEqual([]);
});

test('an event stream leaves the gate before it ends', async () => {
  const { read, started } = world({ readBytes: 10 });
  const [stream] = [read('a'), read('b')];
  await settled();
  stream.leave();
  await settled();
  expect(started).toEqual(['a', 'b']);
});

test.each([
  ['of one owner', { waitingReadsOfOne: 1 }, ['a', 'a', 'a']],
  ['of all', { waitingReads: 1 }, ['a', 'b', 'c']],
])('beyond the number that may wait %s: 503 with Retry-After', async (_of, limits, names) => {
  const { read } = world({ readBytes: 10, readBytesOfOne: 10, ...limits });
  const [, , refused] = names.map(read);
  await expect(refused!.entered).rejects.toMatchObject({ kind: 'busy', headers: { 'Retry-After': '1' } });
});

test('on a real connection: a response that is not read keeps the next one waiting', async () => {
  const large = Buffer.alloc(8 * 1024 * 1024);
  const gate = new ReadGate({ readBytes: 3 * large.length, readBytesOfOne: 3 * large.length });
  let started = 0;
  const { port, url } = await startServer((app) =>
    app.get('/', async (_req, res) => {
      await gate.enter(res, 'a', large.length);
      started += 1;
      res.send(large);
    })
  );
  const deaf = connect(port, '127.0.0.1');
  onTestFinished(() => void deaf.destroy());
  deaf.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => expect(started).toBe(1));
  // Two more copies do not fit beside one that is not read.
  const next = fetch(url).then((response) => response.arrayBuffer());
  deaf.resume();
  expect((await next).byteLength).toBe(large.length);
  expect(started).toBe(2);
});
