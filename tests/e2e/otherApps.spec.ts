import { fire } from './support/alerts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

test.use({ withExampleApp: true });

test('another app adds an action to open threads', { tag: '@hosts' }, async ({ page, bridge }) => {
  await fire(bridge, { fingerprint: 'c6eadffa33fcdf37' });
  await bridge.send({ title: 'An event' });
  const inbox = new Inbox(page);
  await inbox.open();
  await inbox.row('An event').click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Create an incident' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await inbox.row('The disk of node-1 is full').click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Create an incident' }).click();
  await expect(page.getByRole('heading', { name: 'Incident: The disk of node-1 is full' })).toBeVisible();
});

test('another app shows the inbox and the unread count on its page', { tag: '@hosts' }, async ({ page, bridge }) => {
  await page.goto('/a/example-oncall-app');
  await expect(page.getByText('No open threads.')).toBeVisible();
  await bridge.send({ title: 'Disk full', priority: 'critical', status: 'triggered' });
  await expect(page.getByRole('link', { name: 'Unread: 1' })).toBeVisible();
  await expect(page).toHaveTitle(/^Nodebell$/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Disk full' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Disk full' })).toBeVisible();

  await page.goto('/a/example-oncall-app');
  await bridge.stop();
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: 'Could not load the inbox' })).toBeVisible();
});
