import { notifyManager } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { toBridgeError, type BridgeError } from '../api/errors';

export interface Failure {
  error: BridgeError;
  retry: () => void;
}

export interface Optimistic<T> {
  /** What is to be seen: as it was set, until the bridge has answered; then as the bridge has it. */
  shown: T;
  set: (value: T, save: () => Promise<unknown>) => void;
  /** Why the last change was not saved; gone with the next. */
  failure: Failure | undefined;
}

/**
 * Shows a change at once, and takes it back when it could not be saved.
 * @param value as the bridge has it
 */
export function useOptimistic<T>(value: T): Optimistic<T> {
  const [pending, setPending] = useState<{ value: T; round: number }>();
  const [failure, setFailure] = useState<Failure>();
  const round = useRef(0);
  const set = (next: T, save: () => Promise<unknown>) => {
    round.current += 1;
    const mine = round.current;
    setPending({ value: next, round: mine });
    setFailure(undefined);
    // With the news of the query cache, so that the old value is not seen in between.
    const settle = () => notifyManager.schedule(() => setPending((now) => (now?.round === mine ? undefined : now)));
    save().then(settle, (thrown: unknown) => {
      settle();
      if (mine === round.current) {
        setFailure({ error: toBridgeError(thrown), retry: () => set(next, save) });
      }
    });
  };
  return { shown: pending === undefined ? value : pending.value, set, failure };
}
