import { expect, test } from 'vitest';
import { createTurns } from './turns';

/** Tasks that end when the test says so. */
function setUp(places: number) {
  const inTurn = createTurns(places);
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const begin = (name: string, signal = new AbortController().signal) =>
    inTurn(() => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    }, signal);
  return { begin, started, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test('no more run at the same time than there are places, and in their order', async () => {
  const { begin, started, end } = setUp(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => begin(name));
  await expect.poll(() => started).toEqual(['a', 'b']);
  end('b');
  await expect.poll(() => started).toEqual(['a', 'b', 'c']);
  ['a', 'c'].forEach((name) => end(name));
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd']);
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('one that fails gives its place to the next', async () => {
  const { begin, started, end } = setUp(1);
  const failing = begin('a');
  const next = begin('b');
  await expect.poll(() => started).toEqual(['a']);
  end('a', new Error('no'));
  await expect(failing).rejects.toThrow('no');
  await expect.poll(() => started).toEqual(['a', 'b']);
  end('b');
  expect(await next).toBe('b');
});

test('one that is aborted while it waits never runs', async () => {
  const { begin, started, end } = setUp(1);
  const first = begin('a');
  const aborting = new AbortController();
  const second = begin('b', aborting.signal);
  const third = begin('c');
  aborting.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  await expect(begin('d', aborting.signal)).rejects.toThrow('gone');
  end('a');
  await first;
  await expect.poll(() => started).toEqual(['a', 'c']);
  end('c');
  await third;
  expect(started).toEqual(['a', 'c']);
});
