import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Reread, REREAD_MS } from './reread.ts';

const error = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  error.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

const failing = new Error('the store is unavailable');

test('after an error it is read again each second, and logged once, until it succeeds', async () => {
  const read = vi.fn().mockRejectedValue(failing);
  const routes = new Reread('read the routes', read, { error });
  await expect(routes.now()).rejects.toBe(failing);
  await vi.advanceTimersByTimeAsync(2 * REREAD_MS);
  expect(read).toHaveBeenCalledTimes(3);
  read.mockResolvedValue(undefined);
  await vi.advanceTimersByTimeAsync(10 * REREAD_MS);
  expect(read).toHaveBeenCalledTimes(4);
  expect(error.mock.calls).toEqual([[{ err: failing }, 'could not read the routes; retrying every 1 s']]);
  read.mockRejectedValueOnce(failing);
  routes.soon();
  await vi.advanceTimersByTimeAsync(0);
  expect(error).toHaveBeenCalledTimes(2);
});

test('one read after another; those who ask before it begins share it', async () => {
  const ends: (() => void)[] = [];
  const read = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const routes = new Reread('read the routes', read, { error });
  const first = routes.now();
  await vi.advanceTimersByTimeAsync(0);
  const others = Promise.all([routes.now(), routes.now()]);
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalledTimes(1);
  ends[0]!();
  await first;
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalledTimes(2);
  ends[1]!();
  await others;
});

test('nothing is read after it was stopped', async () => {
  const read = vi.fn().mockRejectedValue(failing);
  const routes = new Reread('read the routes', read, { error });
  routes.soon();
  await vi.advanceTimersByTimeAsync(0);
  routes.stop();
  await vi.advanceTimersByTimeAsync(5 * REREAD_MS);
  expect(read).toHaveBeenCalledTimes(1);
});
