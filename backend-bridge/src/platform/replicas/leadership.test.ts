import { expect, test } from 'vitest';
import { type Leadership, whileLeading } from './leadership.ts';

/** A leadership that the test gives and takes. */
function leadership(first?: number) {
  const listeners: (() => void)[] = [];
  let term = first;
  const one: Leadership = { term: () => term, onChange: (listener) => void listeners.push(listener) };
  return {
    one,
    set: (next: number | undefined): void => {
      term = next;
      listeners.forEach((listener) => listener());
    },
  };
}

function recorded(before: Promise<void>[] = []) {
  const done: string[] = [];
  const calls: number[] = [];
  const start = async (term: number) => {
    calls.push(term);
    await before.shift();
    done.push(`start ${term}`);
    return () => Promise.resolve(void done.push(`stop ${term}`));
  };
  return { done, calls, start, log: { error: () => undefined } };
}

test('work runs during each term, and stops at its end', async () => {
  const { one, set } = leadership();
  const { done, start, log } = recorded();
  const { stop } = await whileLeading(one, start, log);
  expect(done).toEqual([]);
  set(1);
  await expect.poll(() => done).toEqual(['start 1']);
  set(undefined);
  await expect.poll(() => done).toEqual(['start 1', 'stop 1']);
  set(2);
  await expect.poll(() => done.length).toBe(3);
  await stop();
  set(3);
  expect(done).toEqual(['start 1', 'stop 1', 'start 2', 'stop 2']);
});

test('a term that was lost and won again starts the work anew', async () => {
  const { one, set } = leadership(1);
  const { done, start, log } = recorded();
  await whileLeading(one, start, log);
  set(2);
  await expect.poll(() => done).toEqual(['start 1', 'stop 1', 'start 2']);
});

test('a term that ends during the start stops what was started', async () => {
  let go = (): void => undefined;
  const { one, set } = leadership();
  const { done, calls, start, log } = recorded([new Promise((resolve) => (go = resolve))]);
  const { stop } = await whileLeading(one, start, log);
  set(1);
  await expect.poll(() => calls).toEqual([1]);
  set(undefined);
  go();
  await stop();
  expect(done).toEqual(['start 1', 'stop 1']);
});

test('the first start fails for the caller, a later one is repeated', async () => {
  await expect(
    whileLeading(leadership(1).one, () => Promise.reject(new Error('no')), { error: () => undefined })
  ).rejects.toThrow('no');
});

test('work that needs other work first starts after it in each term, and stops at once', async () => {
  let go = (): void => undefined;
  const { one, set } = leadership();
  const first = recorded([Promise.resolve(), new Promise((resolve) => (go = resolve))]);
  const second = recorded();
  const { afterStart } = await whileLeading(one, first.start, first.log);
  await whileLeading(afterStart, second.start, second.log);
  set(1);
  await expect.poll(() => second.done).toEqual(['start 1']);
  expect(first.done).toEqual(['start 1']);
  set(2);
  await expect
    .poll(() => [first.calls, second.done])
    .toEqual([
      [1, 2],
      ['start 1', 'stop 1'],
    ]);
  expect(second.calls).toEqual([1]);
  go();
  await expect.poll(() => second.done).toEqual(['start 1', 'stop 1', 'start 2']);
});

test('work that needs other work first starts as well when that cannot start', async () => {
  const { one, set } = leadership();
  const { done, start, log } = recorded();
  const { afterStart } = await whileLeading(one, () => Promise.reject(new Error('no')), log);
  await whileLeading(afterStart, start, log);
  set(1);
  await expect.poll(() => done).toEqual(['start 1']);
});

test('a term that is confirmed late, without a change, starts the work', async () => {
  const confirmed: number[] = [];
  let change = (): void => undefined;
  const one: Leadership = { term: () => confirmed[0], onChange: (listener) => void (change = listener) };
  const { done, start, log } = recorded();
  const { stop } = await whileLeading(one, start, log);
  change();
  await new Promise((resolve) => setImmediate(resolve));
  confirmed.push(1);
  await expect.poll(() => done, { timeout: 30_000 }).toEqual(['start 1']);
  await stop();
});
