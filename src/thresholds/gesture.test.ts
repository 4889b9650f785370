import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGesture, SETTLE_MS } from './gesture';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aGesture() {
  const heard = { onMove: vi.fn(), onRest: vi.fn(), onCancel: vi.fn() };
  const gesture = createGesture();
  gesture.listen(heard);
  return { gesture, ...heard };
}

describe('a drag', () => {
  it('rests once, where it was let go, however long it took', () => {
    const { gesture, onMove, onRest } = aGesture();
    gesture.press();
    for (let value = 1; value <= 50; value += 1) {
      gesture.move(value);
      vi.advanceTimersByTime(SETTLE_MS);
    }
    expect(onRest).not.toHaveBeenCalled();
    gesture.release();
    vi.advanceTimersByTime(10 * SETTLE_MS);
    expect(onMove).toHaveBeenCalledTimes(50);
    expect(onRest.mock.calls).toEqual([[50]]);
  });

  it('that moved nothing saves nothing', () => {
    const { gesture, onRest } = aGesture();
    gesture.press();
    gesture.release();
    gesture.leave();
    expect(onRest).not.toHaveBeenCalled();
  });
});

describe('keys', () => {
  it('rest when none has been pressed for a moment', () => {
    const { gesture, onRest } = aGesture();
    for (const value of [81, 82, 83]) {
      gesture.press();
      gesture.move(value);
      gesture.releaseKey();
      vi.advanceTimersByTime(SETTLE_MS - 1);
    }
    expect(onRest).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onRest.mock.calls).toEqual([[83]]);
  });

  it('held down rest only after they are let go', () => {
    const { gesture, onRest } = aGesture();
    gesture.press();
    gesture.move(81);
    vi.advanceTimersByTime(5 * SETTLE_MS);
    expect(onRest).not.toHaveBeenCalled();
    gesture.releaseKey();
    vi.advanceTimersByTime(SETTLE_MS);
    expect(onRest.mock.calls).toEqual([[81]]);
  });

  it('rest at once when the focus leaves, and only once', () => {
    const { gesture, onRest } = aGesture();
    gesture.press();
    gesture.move(81);
    gesture.leave();
    gesture.releaseKey();
    vi.advanceTimersByTime(SETTLE_MS);
    expect(onRest.mock.calls).toEqual([[81]]);
  });
});

it('without a press, as assistive technology does it, rests after a moment', () => {
  const { gesture, onRest } = aGesture();
  gesture.move(7);
  gesture.move(8);
  vi.advanceTimersByTime(SETTLE_MS);
  expect(onRest.mock.calls).toEqual([[8]]);
});

it('given up, saves nothing, then or later', () => {
  const { gesture, onRest, onCancel } = aGesture();
  gesture.press();
  gesture.move(7);
  gesture.cancel();
  gesture.releaseKey();
  gesture.leave();
  vi.advanceTimersByTime(SETTLE_MS);
  expect(onCancel).toHaveBeenCalledTimes(1);
  expect(onRest).not.toHaveBeenCalled();
});
