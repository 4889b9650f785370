import { useEffect, useState } from 'react';
import { createGesture, type GestureHandlers } from '../gesture';
import { useOptimistic } from '../useOptimistic';

/** Saves a threshold; null resets it to the package's default. */
export type SaveThreshold = (threshold: number | null) => Promise<unknown>;

/**
 * State of a threshold that is saved at the end of each gesture.
 * @param value the value in effect
 */
export function useThreshold(value: number, save: SaveThreshold) {
  const { shown, set, failure } = useOptimistic(value);
  const [moving, setMoving] = useState<number>();
  const commit = (next: number) => {
    setMoving(undefined);
    if (next !== shown) {
      set(next, () => save(next));
    }
  };
  const [gesture] = useState(createGesture);
  const handlers: GestureHandlers = { onMove: setMoving, onCommit: commit, onCancel: () => setMoving(undefined) };
  useEffect(() => gesture.listen(handlers));
  // Commits a gesture that is in progress when the row is unmounted.
  useEffect(() => gesture.leave, [gesture]);
  return {
    value: moving ?? shown,
    settled: shown,
    gesture,
    reset: (shipped: number) => set(shipped, () => save(null)),
    /** Saves the current value again, which dismisses the package's new recommendation. */
    keep: () => set(shown, () => save(shown)),
    failure,
  };
}
