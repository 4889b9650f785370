import type { Page } from '@playwright/test';

/** Files of the app and of its panels, as Grafana serves them. */
const OURS = '/public/plugins/nodebell-';

/** Errors of the page that involve Nodebell's code, as they occur. Grafana's own are ignored. */
export function pageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ stack = '' }) => {
    if (stack.includes(OURS)) {
      errors.push(stack);
    }
  });
  return errors;
}
