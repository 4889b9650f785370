import { PLUGIN_ID } from './support/grafana.ts';
import { testRoutes } from './support/roles.ts';
import { expect, test } from './support/test.ts';

testRoutes('Admin');

test('an admin configures the app', async ({ gotoAppConfigPage, page }) => {
  await gotoAppConfigPage({ pluginId: PLUGIN_ID });
  await expect(page.locator('#nodebell-bridge-url')).toBeVisible();
});
