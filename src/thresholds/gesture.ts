/**
 * Commits a moving value once per gesture instead of once per step. A drag ends when the pointer is released, keyboard input
 * SETTLE_MS after the last key is released; leaving the control ends either.
 */

/** Time without input after which keyboard input is committed, in milliseconds. */
export const SETTLE_MS = 400;

export interface GestureHandlers {
  /** Called with each intermediate value. */
  onMove: (value: number) => void;
  /** Called with the final value. */
  onCommit: (value: number) => void;
  /** The gesture was cancelled; nothing is saved. */
  onCancel: () => void;
}

export interface Gesture {
  /** Replaces the handlers. */
  listen: (handlers: GestureHandlers) => void;
  /** Pointer or key down. */
  press: () => void;
  move: (value: number) => void;
  /** Pointer up. */
  release: () => void;
  /** Key up. */
  releaseKey: () => void;
  /** The control lost focus or was unmounted. */
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
  const commit = () => {
    stop();
    if (moved !== undefined) {
      const value = moved;
      moved = undefined;
      handlers?.onCommit(value);
    }
  };
  const commitSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(commit, SETTLE_MS);
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
      // Assistive technology moves a slider without pointer or key events.
      if (!pressed) {
        commitSoon();
      }
    },
    release: commit,
    releaseKey: () => {
      pressed = false;
      if (moved !== undefined) {
        commitSoon();
      }
    },
    leave: commit,
    cancel: () => {
      stop();
      if (moved !== undefined) {
        moved = undefined;
        handlers?.onCancel();
      }
    },
  };
}
