import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  observeWindowOffset,
  observeWindowRect,
  useVirtualizer,
  windowScroll,
  type Range,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';
import { HEIGHTS, type Item } from '../flat';

/** `pane`: the list scrolls by itself beside the detail. `page`: it is as long as it is, and the page scrolls. */
export type Scroll = 'pane' | 'page';

interface Options {
  items: readonly Item[];
  scroll: Scroll;
  containerRef: RefObject<HTMLDivElement>;
  /** This item stays drawn wherever the list is scrolled, because it has the focus. */
  keep: string | undefined;
}

type Scroller = Pick<
  VirtualizerOptions<Element, Element>,
  'getScrollElement' | 'observeElementRect' | 'observeElementOffset' | 'scrollToFn'
>;

/** The document is a scroller with functions of its own; the virtualizer sees both as elements. */
const PAGE = {
  getScrollElement: () => window,
  observeElementRect: observeWindowRect,
  observeElementOffset: observeWindowOffset,
  scrollToFn: windowScroll,
} as unknown as Scroller;

export function useVirtualList({ items, scroll, containerRef, keep }: Options) {
  const offset = useOffset(containerRef, scroll);
  const kept = keep === undefined ? -1 : items.findIndex((item) => item.key === keep);
  const pane: Scroller = {
    getScrollElement: () => containerRef.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
  };
  const virtualizer = useVirtualizer<Element, Element>({
    ...(scroll === 'pane' ? pane : PAGE),
    count: items.length,
    estimateSize: (index) => HEIGHTS[items[index]?.type ?? 'row'],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    scrollMargin: offset,
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        return kept < 0 || indexes.includes(kept) ? indexes : [...indexes, kept].sort((a, b) => a - b);
      },
      [kept]
    ),
  });
  // Heights follow from the types of the items, so new items mean new places.
  useLayoutEffect(() => virtualizer.measure(), [items, virtualizer]);
  return { virtualizer, offset };
}

/** How far below the top of the page the list begins; banners and filters above it come and go. */
function useOffset(containerRef: RefObject<HTMLDivElement>, scroll: Scroll): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const container = containerRef.current;
    if (scroll === 'pane' || !container) {
      setOffset(0);
      return undefined;
    }
    const update = () => setOffset(Math.round(container.getBoundingClientRect().top + window.scrollY));
    update();
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [containerRef, scroll]);
  return offset;
}
