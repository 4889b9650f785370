import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { Connections, createPlaces } from './connections.ts';

class FakeResponse extends EventEmitter {
  written: string[] = [];
  held: Array<() => void> = [];
  destroyed = false;
  ended = false;
  write(chunk: Buffer, taken: () => void): void {
    this.written.push(chunk.toString());
    this.held.push(taken);
  }
  /** Reads one chunk. */
  read(): void {
    this.held.shift()?.();
  }
  end(): void {
    this.ended = true;
  }
  destroy(): void {
    if (!this.destroyed) {
      this.destroyed = true;
      this.emit('close');
    }
  }
}

/** Overhead per write, in bytes. */
const COST = 512;
const HEARTBEAT = Buffer.from('beat');
const chunk = (bytes: number) => Buffer.alloc(bytes - COST);

function start(limits: { perStream: number; inTotal: number }) {
  const connections = new Connections({ ...limits, stalledSweeps: 2 });
  const open = () => {
    const res = new FakeResponse();
    return { res, connection: connections.add(res as unknown as ServerResponse) };
  };
  return { connections, open };
}

it('a connection with too much unread is ended, and what it held is released', () => {
  const { connections, open } = start({ perStream: 10_000, inTotal: 100_000 });
  const { res, connection } = open();
  connection.write(chunk(6000));
  connection.write(chunk(4000));
  expect([connection.unread, connection.open]).toEqual([10_000, true]);
  res.read();
  connection.write(chunk(6000));
  expect([connection.unread, connection.open]).toEqual([10_000, true]);
  connection.write(chunk(1000));
  expect([connection.open, res.destroyed, connections.size, connections.unread]).toEqual([false, true, 0, 0]);
  // Node calls back for chunks that were discarded as well.
  res.read();
  connection.write(chunk(1000));
  expect([connections.unread, res.written.length]).toEqual([0, 3]);
});

it('many small writes count with what each of them costs', () => {
  const { open } = start({ perStream: 10_000, inTotal: 100_000 });
  const { res, connection } = open();
  for (let sent = 0; sent < 20; sent += 1) {
    connection.write(Buffer.from('x'));
  }
  expect([connection.open, res.written.length]).toEqual([false, 19]);
});

it('when all together hold too much, the one with most unread is ended', () => {
  const { connections, open } = start({ perStream: 10_000, inTotal: 12_000 });
  const [small, most, writer] = [open(), open(), open()];
  small.connection.write(chunk(2000));
  most.connection.write(chunk(8000));
  writer.connection.write(chunk(4000));
  expect([small, most, writer].map(({ connection }) => connection.open)).toEqual([true, false, true]);
  expect(connections.unread).toBe(6000);
});

it('a heartbeat is written to those alone that have read everything', () => {
  const { connections, open } = start({ perStream: 10_000, inTotal: 100_000 });
  const [reading, unread] = [open(), open()];
  unread.connection.write(chunk(1000));
  connections.sweep(HEARTBEAT);
  expect([reading.res.written, unread.res.written.length]).toEqual([['beat'], 1]);
  connections.sweep(HEARTBEAT);
  expect(reading.res.written).toEqual(['beat']);
});

it('a connection that reads nothing is ended; one that reads slowly is not', () => {
  const { connections, open } = start({ perStream: 100_000, inTotal: 1_000_000 });
  const [stalled, slow] = [open(), open()];
  for (let sent = 0; sent < 5; sent += 1) {
    stalled.connection.write(chunk(1000));
    slow.connection.write(chunk(1000));
  }
  for (let sweep = 0; sweep < 4; sweep += 1) {
    connections.sweep(HEARTBEAT);
    stalled.connection.write(chunk(1000));
    slow.res.read();
  }
  expect([stalled.connection.open, slow.connection.open]).toEqual([false, true]);
});

it('flushed resolves when everything was read, or at the end', async () => {
  const { open } = start({ perStream: 10_000, inTotal: 100_000 });
  const { res, connection } = open();
  const resolved: string[] = [];
  const wait = (name: string) => void connection.flushed().then(() => resolved.push(name));
  connection.write(chunk(1000));
  connection.write(chunk(1000));
  wait('read');
  res.read();
  await Promise.resolve();
  expect(resolved).toEqual([]);
  res.read();
  await expect.poll(() => resolved).toEqual(['read']);
  connection.write(chunk(1000));
  wait('ended');
  res.destroy();
  await expect.poll(() => resolved).toEqual(['read', 'ended']);
});

const person = (key: string, anonymous = false): Person => ({
  ...{ key, login: key, orgId: 1, role: 'Viewer', anonymous, verified: false },
});
const ANONYMOUS = person('org:1/anonymous', true);
const LIMITS = { inTotal: 6, ofPerson: 2, unidentified: 3 };

function refusal(take: () => unknown): HttpProblem {
  try {
    take();
  } catch (error) {
    expect(error).toBeInstanceOf(HttpProblem);
    return error as HttpProblem;
  }
  throw new Error('a place was given');
}

it('one person has a limited number, until one is given back', () => {
  const places = createPlaces(LIMITS);
  const release = places.take(person('anna'));
  places.take(person('anna'));
  const { status, headers, message } = refusal(() => places.take(person('anna')));
  expect([status, headers]).toEqual([503, { 'Retry-After': '30' }]);
  expect(message).toBe(
    'You have 2 event streams open, the maximum for one person. Poll GET /notifications until one is closed.'
  );
  places.take(person('bert'));
  release();
  places.take(person('anna'));
  expect(refusal(() => places.take(person('anna'))).status).toBe(503);
});

it('everybody without an identity has a limited number together', () => {
  const places = createPlaces(LIMITS);
  const release = places.take(undefined);
  places.take(ANONYMOUS);
  places.take(person('org:2/anonymous', true));
  for (const nobody of [undefined, ANONYMOUS]) {
    expect(refusal(() => places.take(nobody)).message).toMatch(/^3 event streams without an identity are open/);
  }
  places.take(person('anna'));
  release();
  places.take(ANONYMOUS);
});

it('all together have a limited number', () => {
  const places = createPlaces(LIMITS);
  ['a', 'a', 'b', 'b', 'c', 'c'].forEach((key) => places.take(person(key)));
  expect(refusal(() => places.take(person('d'))).message).toMatch(/^6 event streams are open, the maximum/);
});
