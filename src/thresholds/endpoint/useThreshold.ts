import { useEffect, useState } from 'react';
import { createGesture, type GestureHandlers } from '../gesture';
import { useOptimistic } from '../useOptimistic';

/** A number to be set; null is what the package ships. */
export type SaveThreshold = (threshold: number | null) => Promise<unknown>;

/**
 * A threshold that is moved, and saved when it has come to rest.
 * @param value in effect
 */
export function useThreshold(value: number, save: SaveThreshold) {
  const { shown, set, failure } = useOptimistic(value);
  const [moving, setMoving] = useState<number>();
  const rest = (next: number) => {
    setMoving(undefined);
    if (next !== shown) {
      set(next, () => save(next));
    }
  };
  const [gesture] = useState(createGesture);
  const handlers: GestureHandlers = { onMove: setMoving, onRest: rest, onCancel: () => setMoving(undefined) };
  useEffect(() => gesture.listen(handlers));
  // A list that changes under the user's hand loses nothing.
  useEffect(() => gesture.leave, [gesture]);
  return {
    value: moving ?? shown,
    settled: shown,
    gesture,
    reset: (shipped: number) => set(shipped, () => save(null)),
    /** The same value again, now against what the package ships now. */
    keep: () => set(shown, () => save(shown)),
    failure,
  };
}
