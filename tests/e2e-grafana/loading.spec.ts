import type { Page } from '@playwright/test';
import { PLUGIN_ID } from './support/grafana.ts';
import { pageErrors } from './support/pageErrors.ts';
import { expect, test } from './support/test.ts';

const PAGES = [
  ['inbox', 'Inbox'],
  ['thresholds', 'Thresholds'],
  ['packages', 'Packages'],
  ['chains', 'Chains'],
  ['report', 'Report'],
  ['silences', 'Silences'],
  ['channels', 'Channels'],
] as const;

for (const [path, title] of [...PAGES, ['thresholds?tab=rules', 'Thresholds']] as const) {
  test(`the page ${path} loads, without an error of ours`, async ({ gotoAppPage, page }) => {
    const errors = pageErrors(page);
    await gotoAppPage({ pluginId: PLUGIN_ID, path });
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    // Messages of the page when Grafana's proxy, the token or the bridge is in the way.
    await expect(page.getByRole('button', { name: 'Retry now' })).toHaveCount(0);
    expect(errors).toEqual([]);
  });
}

test('the app’s pages stand in Grafana’s menu, and lead from one to the next', async ({ gotoAppPage, page }) => {
  await gotoAppPage({ pluginId: PLUGIN_ID, path: 'inbox' });
  const menu = page.getByRole('navigation').filter({ has: page.locator(`a[href$="/a/${PLUGIN_ID}/packages"]`) });
  for (const [path, title] of PAGES.slice(1)) {
    await menu.locator(`a[href$="/a/${PLUGIN_ID}/${path}"]`).first().click();
    await expect(page).toHaveURL(new RegExp(`/a/${PLUGIN_ID}/${path}`));
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  }
});

test('each entry of the command palette opens its page', async ({ gotoAppPage, page }) => {
  await gotoAppPage({ pluginId: PLUGIN_ID, path: 'inbox' });
  for (const [path, title] of [...PAGES.slice(1), PAGES[0]]) {
    await select(page, `Nodebell: ${title}`);
    await expect(page).toHaveURL(new RegExp(`/a/${PLUGIN_ID}/${path}`));
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  }
  await select(page, 'Nodebell: Package links');
  await expect(page.getByRole('dialog', { name: 'Package links' })).toBeVisible();
});

/** Selects an entry of the command palette. */
async function select(page: Page, entry: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  // Before the palette has the focus, letters are shortcuts of the page.
  await expect(page.locator('input:focus')).toBeVisible();
  await page.keyboard.type(entry);
  await page.getByRole('option', { name: entry }).first().click();
}

test('the URL of each module holds the build, so that browsers load a new one at once', async ({
  grafana,
  gotoAppPage,
  page,
}) => {
  const { info } = await grafana.call<{ info: { version: string } }>('GET', `/api/plugins/${PLUGIN_ID}/settings`);
  expect(info.version).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{8}$/);
  const requested = page.waitForRequest(/\/nodebell-notifications-app\/module\.js/);
  await gotoAppPage({ pluginId: PLUGIN_ID, path: 'inbox' });
  expect(new URL((await requested).url()).search).toBe(`?_cache=${info.version}`);
});
