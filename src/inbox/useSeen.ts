import { useEffect, useRef } from 'react';

export const DWELL_MS = 1000;

/**
 * Calls back once, when the selected item has been shown for a second on a visible page.
 * @param chosen identifies the choice; undefined while nothing is shown
 */
export function useSeen(chosen: string | undefined, onSeen: () => void) {
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    if (chosen === undefined) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let done = false;
    const update = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible' && !done) {
        timer = setTimeout(() => {
          done = true;
          latest.current();
        }, DWELL_MS);
      }
    };
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [chosen]);
}
