import { PLUGIN_ID } from './support/grafana.ts';
import { testRoutes } from './support/roles.ts';
import { expect, test } from './support/test.ts';

testRoutes('Viewer');

test('a viewer reads, and is offered nothing that would be refused', async ({ gotoAppPage, page }) => {
  await gotoAppPage({ pluginId: PLUGIN_ID, path: 'packages' });
  await expect(page.getByRole('heading', { name: 'Packages', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add package' })).toHaveCount(0);
});

test('a viewer does not see the configuration', async ({ gotoAppConfigPage, page }) => {
  await gotoAppConfigPage({ pluginId: PLUGIN_ID });
  await expect(page.locator('#nodebell-bridge-url')).toHaveCount(0);
});
