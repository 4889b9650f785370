import { PLUGIN_ID } from './support/grafana.ts';
import { expect, test } from './support/test.ts';

test('a saved view is in the user storage of Grafana: after a reload and in another browser it is still there', async ({
  gotoAppPage,
  page,
  browser,
}) => {
  const name = `View 💾 ${Date.now()}`;
  const menu = () => page.getByRole('button', { name: 'Views' });
  await gotoAppPage({ pluginId: PLUGIN_ID, path: 'inbox?priority=critical' });
  await menu().click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  try {
    const other = await browser.newContext({ storageState: await page.context().storageState({ indexedDB: false }) });
    const tab = await other.newPage();
    // Without what the first browser has stored itself.
    await tab.addInitScript(() => window.localStorage.clear());
    await tab.goto(new URL(`/a/${PLUGIN_ID}/inbox`, page.url()).href);
    await tab.getByRole('button', { name: 'Views' }).click();
    await tab.getByRole('menuitemradio', { name }).click();
    await expect(tab).toHaveURL(/priority=critical/);
    await other.close();
  } finally {
    await menu().click();
    await page.getByRole('menuitem', { name: 'Manage views…' }).click();
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('No saved views')).toBeVisible();
  }
});
