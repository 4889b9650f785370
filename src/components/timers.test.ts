import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './timers';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs at once, then once for all calls during the interval, then stops', () => {
  const run = vi.fn();
  const throttled = throttle(run, 500);
  throttled();
  expect(run).toHaveBeenCalledTimes(1);
  throttled();
  throttled();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(500);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(2);
});

it('does nothing after it was cancelled', () => {
  const run = vi.fn();
  const throttled = throttle(run, 500);
  throttled();
  throttled();
  throttled.cancel();
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(1);
});
