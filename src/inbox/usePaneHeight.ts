import { useLayoutEffect, useState, type RefObject } from 'react';
import { topInPage } from './list/pageScroller';

const LEAST = 420;
/** The space that the page keeps below its content. */
const BELOW = 24;

/** The height that is left below the top of an element, so that list and detail scroll by themselves beside each other. */
export function usePaneHeight(ref: RefObject<HTMLElement>, active: boolean): number | undefined {
  const [height, setHeight] = useState<number>();
  useLayoutEffect(() => {
    if (!active) {
      setHeight(undefined);
      return undefined;
    }
    const update = () => {
      const top = ref.current ? topInPage(ref.current) : 0;
      setHeight(Math.max(LEAST, Math.floor(window.innerHeight - top - BELOW)));
    };
    update();
    // What is above (banners, filters) grows and shrinks with the page.
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    if (ref.current?.parentElement) {
      observer.observe(ref.current.parentElement);
    }
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', update);
    };
  }, [ref, active]);
  return height;
}
