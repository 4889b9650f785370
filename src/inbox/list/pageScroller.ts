/**
 * What scrolls the page that an element is on. In Grafana this is the document; while the sidebar of a plugin is open beside the page,
 * it is an element around the page.
 * @returns undefined: the document
 */
export function pageScrollerOf(element: Element): Element | undefined {
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
