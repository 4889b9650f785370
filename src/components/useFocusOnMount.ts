import { useEffect, useRef } from 'react';

/**
 * Moves the focus to what replaces the element that had it, so that the keyboard continues there.
 * @param when false: the focus stays where it is
 */
export function useFocusOnMount<T extends HTMLElement>(when = true) {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (when) {
      ref.current?.focus();
    }
    // Only when it appears.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return ref;
}
