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
    // What Grafana says in the place of a panel that it does not know or could not load.
    await expect(panel.locator).not.toContainText(`${type} not found`);
    await expect(panel.locator).not.toContainText('Panel plugin not found');
    await expect(panel.locator).not.toContainText('Error loading');
  }
  expect(errors).toEqual([]);
});
