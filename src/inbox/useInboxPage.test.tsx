import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DWELL_MS, useSeen } from './useInboxPage';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup(first: string | undefined) {
  const onSeen = vi.fn();
  const { rerender, unmount } = renderHook(({ chosen }: { chosen: string | undefined }) => useSeen(chosen, onSeen), {
    initialProps: { chosen: first },
  });
  return { onSeen, unmount, choose: (chosen: string | undefined) => rerender({ chosen }) };
}

it('nothing is seen while nothing is shown', () => {
  const { onSeen } = setup(undefined);
  vi.advanceTimersByTime(60 * DWELL_MS);
  expect(onSeen).not.toHaveBeenCalled();
});

it('seen once, after a second', () => {
  const { onSeen } = setup('a');
  vi.advanceTimersByTime(DWELL_MS - 1);
  expect(onSeen).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60 * DWELL_MS);
  expect(onSeen).toHaveBeenCalledTimes(1);
});

it('each choice needs its own second', () => {
  const { onSeen, choose } = setup('passed by');
  vi.advanceTimersByTime(400);
  choose('chosen');
  vi.advanceTimersByTime(DWELL_MS - 1);
  expect(onSeen).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onSeen).toHaveBeenCalledTimes(1);
});

it('a hidden page shows nothing', () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const { onSeen } = setup('a');
  vi.advanceTimersByTime(60 * DWELL_MS);
  expect(onSeen).not.toHaveBeenCalled();
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(DWELL_MS);
  expect(onSeen).toHaveBeenCalledTimes(1);
});

it('closed before the second is not seen', () => {
  const { onSeen, unmount } = setup('a');
  vi.advanceTimersByTime(DWELL_MS - 1);
  unmount();
  vi.advanceTimersByTime(DWELL_MS);
  expect(onSeen).not.toHaveBeenCalled();
});
