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
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { HEIGHTS, type Item } from '../flat';

/** `pane`: the list scrolls beside the detail. `page`: the page scrolls. */
export type Scroll = 'pane' | 'page';

interface Options {
  items: readonly Item[];
  scroll: Scroll;
  containerRef: RefObject<HTMLDivElement>;
  /** This item stays rendered when scrolled out of view, because it has the focus. */
  keep: string | undefined;
}

type Scroller = Pick<
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
  // Heights depend on the item types, so new items need new positions.
  useLayoutEffect(() => virtualizer.measure(), [items, virtualizer]);
  return { virtualizer, offset };
}

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

/** The focused row, and a request to focus another one. */
export interface ListFocus {
  key: string | undefined;
  setKey: (key: string | undefined) => void;
  request: { key: string } | undefined;
  moveTo: (key: string) => void;
}

export function find(container: HTMLElement | null, key: string): HTMLElement | null {
  return container?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
}

/**
 * Moves the focus to the requested row, once it is in the list and rendered. Until then the reader may have gone on: a row that has
 * got the focus meanwhile keeps it.
 */
export function useRequestedFocus(
  { key, request }: ListFocus,
  items: readonly { key: string }[],
  containerRef: RefObject<HTMLElement>,
  scrollTo: (index: number) => void
): void {
  const handled = useRef<ListFocus['request']>(undefined);
  const latest = useRef(key);
  const scroll = useRef(scrollTo);
  useLayoutEffect(() => {
    latest.current = key;
    scroll.current = scrollTo;
  });
  useEffect(() => {
    if (!request || request === handled.current) {
      return;
    }
    const isCurrent = () => latest.current === request.key;
    const index = items.findIndex((item) => item.key === request.key);
    if (index >= 0 || !isCurrent()) {
      handled.current = request;
    }
    if (index >= 0 && isCurrent()) {
      scroll.current(index);
      requestAnimationFrame(
        () => isCurrent() && find(containerRef.current, request.key)?.focus({ preventScroll: true })
      );
    }
  }, [request, items, containerRef]);
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
