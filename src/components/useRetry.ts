import { useEffect, useState } from 'react';

const EVERY_MS = 10_000;

/**
 * Asks again every ten seconds while the stream is cut or the bridge does not answer.
 * @returns when the next try is due; undefined while all is well
 */
export function useRetry(active: boolean, refresh: () => void): { nextTry: number | undefined; retry: () => void } {
  const [nextTry, setNextTry] = useState<number>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!active) {
      setNextTry(undefined);
      return undefined;
    }
    setNextTry(Date.now() + EVERY_MS);
    const timer = setTimeout(() => {
      refresh();
      setRound((count) => count + 1);
    }, EVERY_MS);
    return () => clearTimeout(timer);
  }, [active, refresh, round]);
  return {
    nextTry,
    retry: () => {
      refresh();
      setRound((count) => count + 1);
    },
  };
}
