import { fire, instanceContext, LABELS, panelContext, pointPage } from './support/alerts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const ALERT = 'grafana/alerting/instance/action';
const PANEL = 'grafana/dashboard/panel/menu';
const SIDEBAR = 'grafana/dashboard/sidebar/v1';
const CARDS = 'grafana/dynamic/nav-landing-page/nav-id-alerts-and-incidents/cards/v1';
const HOME = 'grafana/alerting/home';

test(
  'the palette and the sidebar show the unread count of the last visit',
  { tag: '@hosts' },
  async ({ page, frame, bridge }) => {
    await page.goto(pointPage(SIDEBAR));
    await expect(page.getByRole('button', { name: 'Inbox', exact: true })).toBeVisible();
    await bridge.sendAll([{}, {}, {}]);
    await frame.open();
    await expect(page).toHaveTitle(/^\(3\)/);
    await page.goto(pointPage(SIDEBAR));
    await page.getByRole('button', { name: 'Commands' }).click();
    await expect(page.getByRole('menuitem', { name: /^Nodebell: Inbox: 3 unread at \d\d:\d\d$/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Inbox: 3' }).click();
    await expect(page).toHaveURL(/\/inbox$/);
    await expect(frame.title).toHaveText('Inbox');
  }
);

test('an alert links to its notification', { tag: '@hosts' }, async ({ page, frame, bridge }) => {
  await fire(bridge, { labels: { ...LABELS, instance: 'node-2' }, annotations: { summary: 'Another disk' } });
  await fire(bridge);
  await fire(bridge, { labels: { ...LABELS, device: 'sda' }, annotations: { summary: 'One device of it' } });
  await page.goto(pointPage(ALERT, instanceContext()));
  await page.getByRole('button', { name: 'Show in inbox' }).click();
  await expect(page).toHaveURL(/\/inbox\?id=\d+$/);
  await expect(page.getByRole('heading', { level: 2, name: 'The disk of node-1 is full' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(frame.toasts).toHaveCount(0);
});

test(
  'a URL with a fingerprint, or a rule and labels, opens the thread',
  { tag: '@hosts' },
  async ({ page, frame, bridge }) => {
    await fire(bridge, { fingerprint: 'c6eadffa33fcdf37', ruleUID: 'rule-1' });
    const other = { labels: { ...LABELS, instance: 'node-2' }, annotations: { summary: 'Another disk' } };
    await fire(bridge, { ...other, ruleUID: 'rule-1' });
    const heading = page.getByRole('heading', { level: 2 });
    for (const search of ['fingerprint=c6eadffa33fcdf37', 'ruleUid=rule-1&has=instance%3Dnode-1']) {
      await frame.open(`inbox?${search}`);
      await expect(page).toHaveURL(/\/inbox\?id=\d+$/);
      await expect(heading).toHaveText('The disk of node-1 is full');
    }
  }
);

test('a URL with an unknown fingerprint says so, until the alert arrives', async ({ page, frame, bridge }) => {
  await frame.open('inbox?fingerprint=c6eadffa33fcdf37');
  const message = page.getByText('No notifications for this alert');
  await expect(message).toBeVisible();
  await expectAccessible(page);
  await fire(bridge, { fingerprint: 'other' });
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(message).toHaveCount(0);
  await expect(page).toHaveURL(/\/inbox$/);

  await frame.open('inbox?fingerprint=c6eadffa33fcdf37');
  await expect(message).toBeVisible();
  await fire(bridge, { fingerprint: 'c6eadffa33fcdf37' });
  await expect(page.getByRole('heading', { level: 2, name: 'The disk of node-1 is full' })).toBeVisible();
});

test('reports that an alert has no notifications', async ({ page, bridge }) => {
  await fire(bridge, { labels: { ...LABELS, instance: 'node-2' } });
  await page.goto(pointPage(ALERT, instanceContext()));
  await page.getByRole('button', { name: 'Show in inbox' }).click();
  const dialog = page.getByRole('dialog', { name: 'Notifications for this alert' });
  await expect(dialog).toContainText('No notifications for alert DiskFull.');
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Search the inbox by alert name' }).click();
  await expect(page).toHaveURL(/\/inbox\?q=DiskFull$/);
});

test('shows an error when the bridge is not responding', async ({ page, bridge }) => {
  await bridge.stop();
  await page.goto(pointPage(ALERT, instanceContext()));
  await page.getByRole('button', { name: 'Show in inbox' }).click();
  await expect(page.getByRole('dialog')).toContainText('Could not load the inbox');
});

test('a panel links to its notification, directly or through its rule', async ({ page, bridge }) => {
  const panelURL = 'http://grafana.example/d/node-1/node?orgId=1&viewPanel=4';
  await fire(bridge, { panelURL, annotations: { summary: 'Of the panel' } });
  await page.goto(pointPage(PANEL, panelContext()));
  await page.getByRole('button', { name: 'Panel notifications' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Of the panel' })).toBeVisible();

  await fire(bridge, { ruleUID: 'rule-9', annotations: { summary: 'Of the rule' } });
  await page.route('**/api/ruler/grafana/api/v1/rules?*', (route) => {
    expect(new URL(route.request().url()).search).toBe('?dashboard_uid=node-1&panel_id=5');
    return route.fulfill({
      json: { Nodes: [{ name: 'g', rules: [{ grafana_alert: { uid: 'rule-9', title: 'R' } }] }] },
    });
  });
  await page.goto(pointPage(PANEL, panelContext(5)));
  await page.getByRole('button', { name: 'Panel notifications' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Of the rule' })).toBeVisible();
});

test('a panel without notifications offers a new rule', { tag: '@hosts' }, async ({ page }) => {
  await page.route('**/api/ruler/grafana/api/v1/rules?*', (route) =>
    route.fulfill({ json: { Nodes: [{ rules: [{ grafana_alert: { uid: 'rule-9', title: 'Disk is full' } }] }] } })
  );
  await page.route('**/apis/notifications.alerting.grafana.app/v0alpha1/namespaces/*/receivers', (route) =>
    route.fulfill({ json: { items: [{ spec: { title: 'empty' } }, { spec: { title: 'Nodebell' } }] } })
  );
  await page.goto(pointPage(PANEL, panelContext()));
  await page.getByRole('button', { name: 'Panel notifications' }).click();
  const dialog = page.getByRole('dialog', { name: 'Notifications for this panel' });
  await expect(dialog).toContainText('No notifications for this panel.');
  await expect(dialog.getByRole('link', { name: 'Disk is full' })).toHaveAttribute(
    'href',
    '/alerting/grafana/rule-9/view'
  );
  await expect(dialog).toContainText('It uses the contact point “Nodebell”.');
  const link = dialog.getByRole('link', { name: 'New alert rule' });
  const form = new URL((await link.getAttribute('href'))!, 'http://x');
  expect(form.pathname).toBe('/alerting/new');
  expect(JSON.parse(form.searchParams.get('defaults')!)).toMatchObject({
    name: 'Disk',
    annotations: [
      { key: '__dashboardUid__', value: 'node-1' },
      { key: '__panelId__', value: '4' },
      { key: 'inbox_url', value: expect.stringContaining('/inbox?ruleUid=') },
    ],
    contactPoints: { grafana: { selectedContactPoint: 'Nodebell' } },
  });
  await expectAccessible(page);
});

test('a Viewer gets no link to a form that Grafana would reject', async ({ page, frame }) => {
  await frame.open('inbox', { role: 'Viewer' });
  await page.goto(pointPage(PANEL, panelContext()));
  await page.getByRole('button', { name: 'Panel notifications' }).click();
  await expect(page.getByRole('dialog')).toContainText('You do not have permission to create alert rules.');
  await expect(page.getByRole('link', { name: 'New alert rule' })).toHaveCount(0);
});

test('a panel of an unsaved dashboard has no menu entry', async ({ page }) => {
  await page.goto(pointPage(PANEL, { ...panelContext(), dashboard: { uid: '', title: 'New', tags: [] } }));
  await expect(page.getByRole('heading', { name: PANEL })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Panel notifications' })).toHaveCount(0);
});

test(
  'the card on the alerting home page shows counts and the newest critical notifications',
  { tag: '@hosts' },
  async ({ page, bridge }) => {
    await page.goto(pointPage(HOME));
    const card = page.getByRole('region', { name: 'Nodebell inbox' });
    await expect(card.getByRole('status')).toHaveText('No unread notifications. Open: 0');
    await bridge.send({ title: 'Not critical', priority: 'high' });
    for (const n of [1, 2, 3, 4]) {
      await bridge.send({ title: `Critical ${n}`, priority: 'critical', status: 'triggered' });
    }
    await page.reload();
    await expect(card.getByRole('status')).toHaveText('Unread: 5. Open: 4');
    await expect(card.getByRole('listitem').getByRole('link')).toHaveText(['Critical 4', 'Critical 3', 'Critical 2']);
    await expectAccessible(page);
    await card.getByRole('link', { name: 'Critical 3' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Critical 3' })).toBeVisible();
  }
);

test('the card of the Alerts & IRM section opens the inbox', async ({ page, frame }) => {
  await page.goto(pointPage(CARDS, { node: { id: 'alerts-and-incidents', text: 'Alerts & IRM' } }));
  await page.getByRole('button', { name: 'Nodebell inbox' }).click();
  await expect(frame.title).toHaveText('Inbox');
});
