import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  useVirtualizer,
  type Range,
} from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { TOP_BAR_PX } from '../../components/layout';
import { DOCUMENT, type Scroll, type Scroller, usePlace } from '../../components/pageScroll';
import { HEIGHTS, type Item } from '../flat';

/** Height of the selection bar on a phone, where it is highest; it covers rows below Grafana's top bar. */
const BULK_BAR_PX = 120;

interface Options {
  items: readonly Item[];
  scroll: Scroll;
  containerRef: RefObject<HTMLDivElement>;
  /** This item stays rendered when scrolled out of view, because it has the focus. */
  keep: string | undefined;
}

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
    scrollPaddingStart: scroll === 'pane' ? 0 : TOP_BAR_PX + BULK_BAR_PX,
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
  items: ReadonlyArray<{ key: string }>,
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
