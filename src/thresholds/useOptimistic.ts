import { notifyManager } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { toBridgeError, type BridgeError } from '../api/errors';

export interface Failure {
  error: BridgeError;
  retry: () => void;
}

export interface Optimistic<T> {
  /** The value to show: the pending one until the bridge responds, then the bridge's. */
  shown: T;
  set: (value: T, save: () => Promise<unknown>) => void;
  /** Why the last change was not saved; cleared by the next change. */
  failure: Failure | undefined;
}

/**
 * Shows a change immediately and reverts it if it cannot be saved.
 * @param value current value on the bridge
 */
export function useOptimistic<T>(value: T): Optimistic<T> {
  const [pending, setPending] = useState<{ value: T; round: number }>();
  const [failure, setFailure] = useState<Failure>();
  const round = useRef(0);
  const set = (next: T, save: () => Promise<unknown>) => {
    round.current += 1;
    const own = round.current;
    setPending({ value: next, round: own });
    setFailure(undefined);
    // Scheduled with the updates of the query cache, so that the old value does not flash in between.
    const settle = () => notifyManager.schedule(() => setPending((now) => (now?.round === own ? undefined : now)));
    save().then(settle, (thrown: unknown) => {
      settle();
      if (own === round.current) {
        setFailure({ error: toBridgeError(thrown), retry: () => set(next, save) });
      }
    });
  };
  return { shown: pending === undefined ? value : pending.value, set, failure };
}
