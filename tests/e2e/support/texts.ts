import type { Page } from '@playwright/test';

/** Everything that the plugin says on a page, to eyes and to readers of screens: texts, and attributes that are read out. */
export const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const ATTRIBUTES = ['aria-label', 'title', 'placeholder', 'aria-valuetext', 'alt'];
    // Menu and bar are the imitated Grafana's. What lies over the page (dialogs, menus) stands outside of `main`.
    // Code is to be copied as it is.
    const own = (element: Element | null) =>
      element !== null && !element.closest('nav, header, script, style, pre, code');
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (own(node.parentElement)) {
        found.add(node.textContent?.trim() ?? '');
      }
    }
    for (const element of document.querySelectorAll(ATTRIBUTES.map((name) => `[${name}]`).join())) {
      ATTRIBUTES.forEach((name) => own(element) && found.add(element.getAttribute(name)?.trim() ?? ''));
    }
    return [...found];
  });

/** Whether something is said: a word, rather than a figure, a key or a sign. */
export const isSaid = (text: string): boolean => /\p{L}{2,}/u.test(text);
