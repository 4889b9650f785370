import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGesture, SETTLE_MS } from './gesture';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aGesture() {
  const handlers = { onMove: vi.fn(), onCommit: vi.fn(), onCancel: vi.fn() };
  const gesture = createGesture();
  gesture.listen(handlers);
  return { gesture, ...handlers };
}

describe('a drag', () => {
  it('commits once, at the released value, however long it takes', () => {
    const { gesture, onMove, onCommit } = aGesture();
    gesture.press();
    for (let value = 1; value <= 50; value += 1) {
      gesture.move(value);
      vi.advanceTimersByTime(SETTLE_MS);
    }
    expect(onCommit).not.toHaveBeenCalled();
    gesture.release();
    vi.advanceTimersByTime(10 * SETTLE_MS);
    expect(onMove).toHaveBeenCalledTimes(50);
    expect(onCommit.mock.calls).toEqual([[50]]);
  });

  it('without movement commits nothing', () => {
    const { gesture, onCommit } = aGesture();
    gesture.press();
    gesture.release();
    gesture.leave();
    expect(onCommit).not.toHaveBeenCalled();
  });
});

describe('keys', () => {
  it('commit after a pause without input', () => {
    const { gesture, onCommit } = aGesture();
    for (const value of [81, 82, 83]) {
      gesture.press();
      gesture.move(value);
      gesture.releaseKey();
      vi.advanceTimersByTime(SETTLE_MS - 1);
    }
    expect(onCommit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onCommit.mock.calls).toEqual([[83]]);
  });

  it('held down commit only after release', () => {
    const { gesture, onCommit } = aGesture();
    gesture.press();
    gesture.move(81);
    vi.advanceTimersByTime(5 * SETTLE_MS);
    expect(onCommit).not.toHaveBeenCalled();
    gesture.releaseKey();
    vi.advanceTimersByTime(SETTLE_MS);
    expect(onCommit.mock.calls).toEqual([[81]]);
  });

  it('commit immediately on blur, and only once', () => {
    const { gesture, onCommit } = aGesture();
    gesture.press();
    gesture.move(81);
    gesture.leave();
    gesture.releaseKey();
    vi.advanceTimersByTime(SETTLE_MS);
    expect(onCommit.mock.calls).toEqual([[81]]);
  });
});

it('commits after a pause if moved without a press, as by assistive technology', () => {
  const { gesture, onCommit } = aGesture();
  gesture.move(7);
  gesture.move(8);
  vi.advanceTimersByTime(SETTLE_MS);
  expect(onCommit.mock.calls).toEqual([[8]]);
});

it('a cancelled gesture commits nothing, then or later', () => {
  const { gesture, onCommit, onCancel } = aGesture();
  gesture.press();
  gesture.move(7);
  gesture.cancel();
  gesture.releaseKey();
  gesture.leave();
  vi.advanceTimersByTime(SETTLE_MS);
  expect(onCancel).toHaveBeenCalledTimes(1);
  expect(onCommit).not.toHaveBeenCalled();
});
