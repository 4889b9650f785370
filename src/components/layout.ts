import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Content widths at which the layout changes. The viewport's width is no guide: Grafana's menu may be docked. */
export const SPLIT_WIDTH = 900;
export const NARROW_WIDTH = 600;
/** Height of Grafana's top bar, which covers the top of the page. */
export const TOP_BAR_PX = 40;

export type Shape = 'split' | 'drawer' | 'narrow';

export const shapeOf = (width: number): Shape =>
  width >= SPLIT_WIDTH ? 'split' : width >= NARROW_WIDTH ? 'drawer' : 'narrow';

/** The width of an element, once it is mounted. React 18 has no ref cleanup, so the observer is disconnected here. */
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

/** Whether an element has been visible, or nearly visible, at least once. */
export function useInSight<T extends Element>(): [RefObject<T>, boolean] {
  const ref = useRef<T>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (seen || !element) {
      return;
    }
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: '100px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [seen]);
  return [ref, seen];
}
