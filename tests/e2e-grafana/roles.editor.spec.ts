import { PLUGIN_ID } from './support/grafana.ts';
import { testRoutes } from './support/roles.ts';
import { expect, test } from './support/test.ts';

testRoutes('Editor');

test('an editor may register packages', async ({ gotoAppPage, page }) => {
  await gotoAppPage({ pluginId: PLUGIN_ID, path: 'packages' });
  await expect(page.getByRole('link', { name: 'Add package' }).first()).toBeVisible();
});
