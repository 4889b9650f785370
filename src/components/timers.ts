/** Throttling, the current time and retries. */
import { useEffect, useRef, useState } from 'react';

export interface Throttled {
  (): void;
  cancel: () => void;
}

/** Runs immediately, then at most once per interval. Calls in between result in one run at the end of the interval. */
export function throttle(run: () => void, everyMs: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const fire = () => {
    run();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) {
        again = false;
        fire();
      }
    }, everyMs);
  };
  const throttled = () => {
    if (timer === undefined) {
      fire();
    } else {
      again = true;
    }
  };
  return Object.assign(throttled, {
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
      again = false;
    },
  });
}

/** A value that updates at most once per interval, and always ends on the latest. */
export function useThrottled<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const timer = useRef<{ run: ReturnType<typeof throttle>; latest: T }>(undefined);
  useEffect(() => {
    const one = { run: throttle(() => setShown(() => one.latest), everyMs), latest: value };
    timer.current = one;
    return () => one.run.cancel();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the initial value; the effect below passes on later ones
  }, [everyMs]);
  useEffect(() => {
    if (timer.current && timer.current.latest !== value) {
      timer.current.latest = value;
      timer.current.run();
    }
  }, [value]);
  return shown;
}

/** The current time for relative times, UTC milliseconds. Renders again after each interval. */
export function useNow(everyMs = 20_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

const RETRY_MS = 10_000;

/**
 * Polls every ten seconds while the event stream is down or the bridge is not responding.
 * @returns when the next retry is due, UTC milliseconds; undefined while inactive
 */
export function useRetry(active: boolean, refresh: () => void): { nextTry: number | undefined; retry: () => void } {
  const [nextTry, setNextTry] = useState<number>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!active) {
      setNextTry(undefined);
      return undefined;
    }
    setNextTry(Date.now() + RETRY_MS);
    const timer = setTimeout(() => {
      refresh();
      setRound((count) => count + 1);
    }, RETRY_MS);
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
