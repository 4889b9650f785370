import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from './repeat.ts';

const EVERY_MS = 10_000;
let stop: (() => void) | undefined;
const warn = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  warn.mockClear();
});
afterEach(() => {
  stop?.();
  vi.useRealTimers();
});

const start = (work: () => Promise<unknown>): void => {
  stop = repeat('remove old entries', EVERY_MS, work, { warn });
};
const pass = (runs: number): Promise<unknown> => vi.advanceTimersByTimeAsync(runs * EVERY_MS);

it('logs an error once until a run succeeds again', async () => {
  const error = new Error('unreachable');
  const work = vi.fn().mockRejectedValue(error);
  start(work);
  await pass(3);
  expect(work).toHaveBeenCalledTimes(3);
  expect(warn.mock.calls).toEqual([[{ err: error }, 'could not remove old entries; retrying every 10 s']]);
  work.mockResolvedValueOnce(undefined);
  await pass(2);
  expect(warn).toHaveBeenCalledTimes(2);
});

it('does not start a run while the one before is unfinished', async () => {
  const first = Promise.withResolvers<void>();
  const work = vi.fn(() => first.promise);
  start(work);
  await pass(3);
  expect(work).toHaveBeenCalledTimes(1);
  first.resolve();
  await pass(1);
  expect(work).toHaveBeenCalledTimes(2);
});

it('survives work that throws at once', async () => {
  const work = vi.fn(() => {
    throw new Error('a mistake');
  });
  start(work);
  await pass(2);
  expect(work).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('logs nothing of a run that fails after the stop', async () => {
  const run = Promise.withResolvers<void>();
  start(() => run.promise);
  await pass(1);
  stop?.();
  run.reject(new Error('closed'));
  await pass(1);
  expect(warn).not.toHaveBeenCalled();
});
