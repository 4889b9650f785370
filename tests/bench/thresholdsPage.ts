/** The Thresholds page of a large node in a browser, through the standalone host: built plugin, proxy, bridge. */
import type { Page } from '@playwright/test';
import { startConsole } from '../../standalone/server/console.ts';
import { ADMIN_TOKEN } from './bridge.ts';
import { launchBrowser } from './browser.ts';

const APP = '/a/nodebell-notifications-app';
const TIMES = 5;

export interface PageTimes {
  /** Milliseconds from the click in the menu until the cards are shown. */
  opened: number[];
  /** Milliseconds from the last key of a search until its endpoints are shown. */
  searched: number[];
  /** Milliseconds from Enter in the number field until the bridge has responded. */
  saved: number[];
}

/** @param endpoint a search that finds one endpoint with a slider from 0 to 50 */
export async function thresholdsPage(bridgeUrl: string, endpoint: string): Promise<PageTimes> {
  const running = await startConsole({ port: 0, bridgeUrl, bridgeToken: ADMIN_TOKEN });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, baseURL: running.url });
    const times: PageTimes = { opened: [], searched: [], saved: [] };
    for (let count = 0; count < TIMES; count += 1) {
      // Reloads the page, so that nothing is cached.
      await page.goto(`${APP}/packages`);
      await page.locator('[data-package]').first().waitFor();
      times.opened.push(await opened(page));
      times.searched.push(await searched(page, endpoint));
      times.saved.push(await saved(page, 20 + count));
    }
    return times;
  } finally {
    await browser.close();
    await running.close();
  }
}

async function opened(page: Page): Promise<number> {
  const start = performance.now();
  await page.getByRole('link', { name: 'Thresholds' }).first().click();
  await page.locator('[data-package]').first().waitFor();
  await page.getByRole('textbox', { name: 'Search endpoints and packages' }).waitFor();
  return performance.now() - start;
}

async function searched(page: Page, words: string): Promise<number> {
  const start = performance.now();
  await page.getByRole('textbox', { name: 'Search endpoints and packages' }).fill(words);
  await page.locator('[data-endpoint]').first().waitFor();
  return performance.now() - start;
}

async function saved(page: Page, value: number): Promise<number> {
  const field = page.locator('[data-endpoint]').first().getByRole('spinbutton');
  await field.fill(String(value));
  const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
  const start = performance.now();
  await field.press('Enter');
  await answered;
  return performance.now() - start;
}
