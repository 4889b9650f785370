import { PLUGIN_ID } from './support/grafana.ts';
import { pageErrors } from './support/pageErrors.ts';
import { expect, test } from './support/test.ts';

const PAGES = [
  ['inbox', 'Inbox'],
  ['thresholds', 'Thresholds'],
  ['packages', 'Packages'],
  ['chains', 'Chains'],
] as const;

for (const [path, title] of PAGES) {
  test(`the page ${title} loads, without an error of ours`, async ({ gotoAppPage, page }) => {
    const errors = pageErrors(page);
    await gotoAppPage({ pluginId: PLUGIN_ID, path });
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    // What the page says when Grafana's proxy, the token or the bridge is in the way.
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

test('the command palette leads to the pages', async ({ gotoAppPage, page }) => {
  await gotoAppPage({ pluginId: PLUGIN_ID, path: 'inbox' });
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  // Before the palette has the focus, letters would be keys of the page.
  await expect(page.locator('input:focus')).toBeVisible();
  await page.keyboard.type('Nodebell: Pack');
  await page
    .getByRole('option', { name: /Nodebell: Packages/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/a/${PLUGIN_ID}/packages`));
});
