import { expect, test } from 'vitest';
import { createLimiter } from './limiter';

/** Tasks that the test ends by hand. */
function setUp(limit: number) {
  const limited = createLimiter(limit);
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const begin = (name: string, signal = new AbortController().signal) =>
    limited(() => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    }, signal);
  return { begin, started, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test('runs at most the limit at the same time, in the order of the calls', async () => {
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

test('starts the next task after a failure', async () => {
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

test('never runs a task that is aborted while waiting', async () => {
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
