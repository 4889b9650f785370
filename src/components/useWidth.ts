import { useCallback, useState } from 'react';

/** Content widths at which the page changes its shape; the docked menu makes the viewport's width useless. */
export const SPLIT_WIDTH = 900;
export const NARROW_WIDTH = 600;

export type Shape = 'split' | 'drawer' | 'narrow';

export const shapeOf = (width: number): Shape =>
  width >= SPLIT_WIDTH ? 'split' : width >= NARROW_WIDTH ? 'drawer' : 'narrow';

/** The width of an element, once it is there. React 18 has no clean-up of refs, so the old observer is ended by hand. */
export function useWidth(): [(element: HTMLElement | null) => void, number | undefined] {
  const [width, setWidth] = useState<number>();
  const [observer] = useState(() => new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width)));
  const ref = useCallback(
    (element: HTMLElement | null) => {
      observer.disconnect();
      if (element) {
        setWidth(element.getBoundingClientRect().width);
        observer.observe(element);
      }
    },
    [observer]
  );
  return [ref, width];
}
