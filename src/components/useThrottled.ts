import { useEffect, useRef, useState } from 'react';
import { throttle } from './throttle';

/** A value that changes quickly, taken over at most every so often; the last one always is. */
export function useThrottled<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const timer = useRef<{ run: ReturnType<typeof throttle>; latest: T }>(undefined);
  useEffect(() => {
    const one = { run: throttle(() => setShown(() => one.latest), everyMs), latest: value };
    timer.current = one;
    return () => one.run.cancel();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the value that it begins with; later ones come below
  }, [everyMs]);
  useEffect(() => {
    if (timer.current && timer.current.latest !== value) {
      timer.current.latest = value;
      timer.current.run();
    }
  }, [value]);
  return shown;
}
