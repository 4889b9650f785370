/**
 * When a moving value is saved: once a gesture, not once a step. A drag ends when the pointer is let go, keys when they have been
 * let go for a moment; leaving the control ends either. Pure but for its timer.
 */

/** How long nothing must be pressed until keys count as finished. */
export const SETTLE_MS = 400;

export interface GestureHandlers {
  /** The value while it moves. */
  onMove: (value: number) => void;
  /** The value that it came to rest at. */
  onRest: (value: number) => void;
  /** The gesture was given up; nothing is to be saved. */
  onCancel: () => void;
}

export interface Gesture {
  /** Whom to tell from now on. */
  listen: (handlers: GestureHandlers) => void;
  /** A pointer or a key went down. */
  press: () => void;
  move: (value: number) => void;
  /** The pointer went up. */
  release: () => void;
  /** The key went up. */
  releaseKey: () => void;
  /** The focus went elsewhere, or the control is gone. */
  leave: () => void;
  cancel: () => void;
}

export function createGesture(): Gesture {
  let handlers: GestureHandlers | undefined;
  let moved: number | undefined;
  let pressed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    pressed = false;
  };
  const rest = () => {
    stop();
    if (moved !== undefined) {
      const value = moved;
      moved = undefined;
      handlers?.onRest(value);
    }
  };
  const restSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(rest, SETTLE_MS);
  };
  return {
    listen: (next) => {
      handlers = next;
    },
    press: () => {
      clearTimeout(timer);
      pressed = true;
    },
    move: (value) => {
      moved = value;
      handlers?.onMove(value);
      // Assistive technology moves a slider without pressing anything.
      if (!pressed) {
        restSoon();
      }
    },
    release: rest,
    releaseKey: () => {
      pressed = false;
      if (moved !== undefined) {
        restSoon();
      }
    },
    leave: rest,
    cancel: () => {
      stop();
      if (moved !== undefined) {
        moved = undefined;
        handlers?.onCancel();
      }
    },
  };
}
