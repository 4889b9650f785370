import { pageErrors } from './support/pageErrors.ts';
import { expect, test } from './support/test.ts';

const UID = 'nodebell-e2e-panels';
const PANELS = [
  ['nodebell-inbox-panel', 'Messages'],
  ['nodebell-thresholds-panel', 'Limits'],
  ['nodebell-packages-panel', 'Links of packages'],
  ['nodebell-chainsync-panel', 'Sync'],
] as const;

test.afterEach(({ grafana }) => grafana.ask('DELETE', `/api/dashboards/uid/${UID}`));

test('all four panels stand on a dashboard as they are', async ({ grafana, gotoDashboardPage, page }) => {
  const panels = PANELS.map(([type, title], index) => ({
    id: index + 1,
    type,
    title,
    gridPos: { x: (index % 2) * 12, y: Math.floor(index / 2) * 9, w: 12, h: 9 },
  }));
  const dashboard = { uid: UID, title: 'Nodebell panels', schemaVersion: 39, panels };
  await grafana.call('POST', '/api/dashboards/db', { dashboard, overwrite: true });
  const errors = pageErrors(page);
  const opened = await gotoDashboardPage({ uid: UID });
  for (const [type, title] of PANELS) {
    const panel = opened.getPanelByTitle(title);
    await panel.scrollIntoView();
    await expect(panel.locator).toBeVisible();
    await expect(panel.getErrorIcon()).toHaveCount(0);
    // Grafana's messages in place of a panel that it does not know or could not load.
    await expect(panel.locator).not.toContainText(`${type} not found`);
    await expect(panel.locator).not.toContainText('Panel plugin not found');
    await expect(panel.locator).not.toContainText('Error loading');
  }
  expect(errors).toEqual([]);
});

test('the menu of a panel offers a new alert rule with its queries and our contact point', async ({
  grafana,
  gotoDashboardPage,
  page,
}) => {
  const datasource = { type: 'prometheus', uid: 'nodebell-prometheus' };
  const target = { refId: 'A', expr: 'up', datasource };
  const gridPos = { x: 0, y: 0, w: 24, h: 8 };
  const panels = [{ id: 1, type: 'timeseries', title: 'Up', gridPos, datasource, targets: [target] }];
  const dashboard = { uid: UID, title: 'Nodebell panels', schemaVersion: 39, panels };
  await grafana.call('POST', '/api/dashboards/db', { dashboard, overwrite: true });
  await (await gotoDashboardPage({ uid: UID })).getPanelByTitle('Up').locator.hover();
  await page.getByRole('button', { name: 'Menu for panel Up' }).click();
  await page.getByRole('menuitem', { name: 'Extensions' }).hover();
  await page.getByRole('menuitem', { name: 'Panel notifications' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The new rule is prefilled with the queries of this panel.');
  await expect(dialog).toContainText('It uses the contact point “Nodebell”.');
  await dialog.getByRole('link', { name: 'New alert rule' }).click();
  await expect(page).toHaveURL(/\/alerting\/new/);
  await expect(page.getByRole('textbox', { name: 'name', exact: true })).toHaveValue('Up');
});

test('the page of Grafana Alerting has the card of the inbox', async ({ page }) => {
  await page.goto('/alerting');
  await expect(page.getByRole('region', { name: 'Nodebell inbox' }).getByRole('status')).toHaveText(/Open: \d+$/);
});
