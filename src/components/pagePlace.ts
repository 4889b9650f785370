/** Where a list is on the page, and what scrolls it. */
import { observeWindowOffset, observeWindowRect, type VirtualizerOptions, windowScroll } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** `pane`: the list scrolls beside the detail. `page`: the page scrolls. */
export type Scroll = 'pane' | 'page';

export type Scroller = Pick<
  VirtualizerOptions<Element, Element>,
  'getScrollElement' | 'observeElementRect' | 'observeElementOffset' | 'scrollToFn'
>;

/** The document needs other functions than an element; the virtualizer's types only know elements. */
export const DOCUMENT = {
  getScrollElement: () => window,
  observeElementRect: observeWindowRect,
  observeElementOffset: observeWindowOffset,
  scrollToFn: windowScroll,
} as unknown as Scroller;

interface Place {
  /** Offset of the list from the top of the page, in pixels. */
  offset: number;
  /** The element that scrolls the page; undefined: the document. */
  scroller: Element | undefined;
}

const IN_PANE: Place = { offset: 0, scroller: undefined };

/** Position of the list on the page; it changes with banners, filters and Grafana's sidebar. */
export function usePlace(containerRef: RefObject<HTMLDivElement>, scroll: Scroll): Place {
  const [place, setPlace] = useState(IN_PANE);
  useLayoutEffect(() => {
    const container = containerRef.current;
    if (scroll === 'pane' || !container) {
      setPlace(IN_PANE);
      return undefined;
    }
    const update = () => {
      const scroller = pageScrollerOf(container);
      const offset = Math.round(topInPage(container, scroller));
      setPlace((before) => (before.offset === offset && before.scroller === scroller ? before : { offset, scroller }));
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    observer.observe(container);
    return () => observer.disconnect();
  }, [containerRef, scroll]);
  return place;
}

/**
 * The element that scrolls the page. In Grafana this is the document; while the sidebar of a plugin is open beside the page,
 * it is an element around the page.
 * @returns undefined: the document
 */
function pageScrollerOf(element: Element): Element | undefined {
  for (let above = element.parentElement; above && above !== document.body; above = above.parentElement) {
    if (/^(auto|scroll)$/.test(getComputedStyle(above).overflowY) && above.scrollHeight > above.clientHeight) {
      return above;
    }
  }
  return undefined;
}

/** Offset of an element from the top of the page's content, independent of the scroll position, in pixels. */
export function topInPage(element: Element, scroller = pageScrollerOf(element)): number {
  const { top } = element.getBoundingClientRect();
  return scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + window.scrollY;
}
