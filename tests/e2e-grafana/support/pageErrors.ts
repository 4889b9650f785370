import type { Page } from '@playwright/test';

/** Files of the app and of its panels, as Grafana serves them. */
const OURS = '/public/plugins/nodebell-';

/** Errors of the page in which code of Nodebell had a part, as they come. Grafana's own are not judged here. */
export function pageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ stack = '' }) => {
    if (stack.includes(OURS)) {
      errors.push(stack);
    }
  });
  return errors;
}
