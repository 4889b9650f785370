/** Acknowledging, commenting, snoozing and assigning, seen by somebody else at once. */
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

const DISK = { title: 'Disk full', correlationId: 'disk', status: 'triggered', priority: 'high', isBanner: true };

test('another tab shows each act, without a reload', async ({ page, browser, bridge, baseURL }) => {
  const mine = new Inbox(page);
  await bridge.sendAll([DISK, { title: 'Other', correlationId: 'other', status: 'triggered' }]);
  await mine.open();
  const guest = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  const theirs = new Inbox(await guest.newPage());
  await theirs.open('', { role: 'Viewer' });
  await expect(theirs.banners).toHaveCount(1);

  await mine.row('Disk full').focus();
  await page.keyboard.press('a');
  await expect(theirs.row('Disk full')).toContainText(/Acknowledged by \w+/);
  await expect(mine.row('Disk full')).toContainText(/Acknowledged by \w+/);
  await expect(theirs.banners).toHaveCount(0);
  const undo = page.getByRole('group', { name: 'Acknowledged' });
  await undo.getByRole('button', { name: 'Undo' }).click();
  await expect(theirs.row('Disk full')).not.toContainText('Acknowledged by');
  await expect(theirs.banners).toHaveCount(1);

  await mine.row('Disk full').focus();
  await page.keyboard.press('c');
  const field = mine.detail.getByRole('textbox', { name: 'Add a comment' });
  await expect(field).toBeFocused();
  await theirs.row('Disk full').click();
  await field.fill('Looking at https://example.org/runbook');
  await mine.detail.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(theirs.detail.getByRole('link', { name: /runbook/ })).toBeVisible();
  await expect(theirs.detail.getByRole('button', { name: 'Edit comment' })).toHaveCount(0);
  await field.fill('Mine');
  await mine.detail.getByRole('button', { name: 'Acknowledge with this comment' }).click();
  await expect(theirs.detail).toContainText(/Acknowledged by \w+/);
  await expect(theirs.detail.getByText('Mine', { exact: true })).toBeVisible();

  await mine.detail.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByRole('menuitem', { name: 'To me' }).click();
  await expect(theirs.detail).toContainText('assigned it to');
  const wide = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.setViewportSize(wide);

  await theirs.detail.getByRole('button', { name: 'Snooze' }).click();
  await theirs.page.getByRole('menuitem', { name: /^For an hour/ }).click();
  await expect(theirs.row('Disk full')).toHaveCount(0);
  await expect(mine.row('Disk full')).toHaveCount(1);
  await theirs.open('snoozed=true', { role: 'Viewer' });
  await expect(theirs.row('Disk full')).toContainText('Snoozed until');
  await guest.close();

  const folder = process.env['NODEBELL_SHOTS'];
  if (folder !== undefined) {
    for (const theme of ['dark', 'light'] as const) {
      for (const [name, viewport] of [
        ['wide', { width: 1440, height: 900 }],
        ['phone', { width: 390, height: 844 }],
      ] as const) {
        await page.setViewportSize(viewport);
        const [row] = (await bridge.list()).filter(({ title }) => title === 'Disk full');
        await mine.open(name === 'wide' ? `id=${row!.id}` : '', { theme });
        await mine.rest();
        await page.screenshot({ path: `${folder}/${theme}-${name}.png` });
        if (name === 'phone') {
          await mine.row('Disk full').focus();
          await page.keyboard.press('x');
          await page.screenshot({ path: `${folder}/${theme}-${name}-selected.png` });
          await page.keyboard.press('x');
        }
        if (name === 'phone') {
          await mine.open(`id=${row!.id}`, { theme });
          await page.screenshot({ path: `${folder}/${theme}-${name}-detail.png`, fullPage: true });
        }
      }
    }
  }
});

test('a second tab of the same person, and another person, see each act', async ({
  page,
  context,
  browser,
  bridge,
  baseURL,
}) => {
  await bridge.sendAll([DISK, { title: 'Other', correlationId: 'other', status: 'triggered' }]);
  const guest = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  const mine = new Inbox(page);
  const second = new Inbox(await context.newPage());
  const theirs = new Inbox(await guest.newPage());
  await mine.open();
  await second.open();
  await theirs.open('', { role: 'Viewer' });
  const others = [second, theirs];
  for (const inbox of others) {
    await inbox.row('Disk full').click();
  }

  await mine.row('Disk full').focus();
  await page.keyboard.press('a');
  for (const inbox of others) {
    await expect(inbox.row('Disk full')).toContainText(/Acknowledged by \w+/);
    await expect(inbox.detail).toContainText(/Acknowledged by \w+/);
  }

  await mine.row('Disk full').focus();
  await page.keyboard.press('c');
  await mine.detail.getByRole('textbox', { name: 'Add a comment' }).fill('On my way');
  await mine.detail.getByRole('button', { name: 'Comment', exact: true }).click();
  for (const inbox of others) {
    await expect(inbox.detail.getByText('On my way')).toBeVisible();
  }

  await page.keyboard.press('Escape');
  await mine.row('Disk full').focus();
  await page.keyboard.press('x');
  await mine.row('Other').focus();
  await page.keyboard.press('x');
  await mine.bulkBar.getByRole('button', { name: 'Assign' }).click();
  await page.getByRole('menuitem', { name: 'To me' }).click();
  for (const inbox of others) {
    await expect(inbox.row('Other')).toContainText(/Assigned to \w+/);
  }
  await page.getByRole('group', { name: 'Assigned' }).getByRole('button', { name: 'Undo' }).click();
  for (const inbox of others) {
    await expect(inbox.row('Other')).not.toContainText('Assigned to');
  }

  await mine.row('Disk full').focus();
  await page.keyboard.press('x');
  await mine.bulkBar.getByRole('button', { name: 'Select all' }).click();
  await mine.bulkBar.getByRole('button', { name: 'Snooze' }).click();
  await page.getByRole('menuitem', { name: /^For an hour/ }).click();
  await expect(second.rows).toHaveCount(0);
  await expect(theirs.rows).toHaveCount(2);
  await page.getByRole('group', { name: 'Snoozed' }).getByRole('button', { name: 'Undo' }).click();
  await expect(second.rows).toHaveCount(2);
  await guest.close();
});
