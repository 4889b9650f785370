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
import { useCallback, useLayoutEffect, useState, type RefObject, useMemo } from 'react';
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
const DOCUMENT = {
  getScrollElement: () => window,
  observeElementRect: observeWindowRect,
  observeElementOffset: observeWindowOffset,
  scrollToFn: windowScroll,
} as unknown as Scroller;

export function useVirtualList({ items, scroll, containerRef, keep }: Options) {
  const { offset, scroller } = usePlace(containerRef, scroll);
  const kept = keep === undefined ? -1 : items.findIndex((item) => item.key === keep);
  const element: Scroller = {
    getScrollElement: () => (scroll === 'pane' ? containerRef.current : (scroller ?? null)),
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
  };
  const virtualizer = useVirtualizer<Element, Element>({
    ...(scroll === 'pane' || scroller ? element : DOCUMENT),
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

interface Place {
  /** How far below the top of the page the list begins, in pixels. */
  offset: number;
  /** What scrolls the page; undefined: the document. */
  scroller: Element | undefined;
}

const IN_PANE: Place = { offset: 0, scroller: undefined };

/** Where the list is on its page; banners and filters above it come and go, and so does what stands beside the page. */
function usePlace(containerRef: RefObject<HTMLDivElement>, scroll: Scroll): Place {
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
 * What scrolls the page that an element is on. In Grafana this is the document; while the sidebar of a plugin is open beside the page,
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

/** How far below the top of all that the page shows an element begins, however far it is scrolled. Pixels. */
export function topInPage(element: Element, scroller = pageScrollerOf(element)): number {
  const { top } = element.getBoundingClientRect();
  return scroller ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + window.scrollY;
}

/** The row that the keys act on, and a request to focus a row. */
export interface ListFocus {
  key: string | undefined;
  setKey: (key: string | undefined) => void;
  request: { key: string } | undefined;
  moveTo: (key: string) => void;
}

export function useListFocus(): ListFocus {
  const [key, setKey] = useState<string>();
  const [request, setRequest] = useState<{ key: string }>();
  const moveTo = useCallback((target: string) => {
    setKey(target);
    setRequest({ key: target });
  }, []);
  return useMemo(() => ({ key, setKey, request, moveTo }), [key, request, moveTo]);
}
