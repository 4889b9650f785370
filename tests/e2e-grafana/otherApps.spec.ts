import { PLUGIN_ID, PROXY } from './support/grafana.ts';
import { expect, test } from './support/test.ts';

const SETTINGS = '/api/plugins/example-oncall-app/settings';

test('another app adds an action to a thread, and shows the inbox', async ({ grafana, gotoAppPage, page }) => {
  const installed = await grafana.ask('GET', SETTINGS);
  test.skip(installed.status() === 404, 'tests/fixtures/exampleApp is not installed in this Grafana (CONTRIBUTING.md)');
  await grafana.call('POST', SETTINGS, { enabled: true });
  const title = `Thread ${Date.now()}`;
  const sent = { title, body: 'Of a test.', priority: 'critical', status: 'triggered' };
  const { id } = await grafana.bridge<{ id: number }>('POST', 'api/v1/notifications', sent);
  try {
    await gotoAppPage({ pluginId: PLUGIN_ID, path: `inbox?id=${id}` });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Create an incident' }).click();
    await expect(page.getByRole('heading', { name: `Incident: ${title}` })).toBeVisible();
    await expect(page.getByRole('link', { name: title })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Unread: \d+$/ })).toBeVisible();
  } finally {
    await grafana.ask('DELETE', `${PROXY}/api/v1/notifications/${id}`);
    await grafana.call('POST', SETTINGS, { enabled: false });
  }
});
