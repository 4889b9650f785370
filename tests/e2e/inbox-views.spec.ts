import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

test('saved views of two tabs, and the focus', { tag: '@hosts' }, async ({ page, context, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.sendAll([{ title: 'Disk full' }, { title: 'Fan broken' }]);
  await inbox.open('q=disk');
  await inbox.saveView('Disks 💽');
  await expect(inbox.views).toBeFocused();

  const other = new Inbox(await context.newPage());
  await other.open('q=fan');
  await other.saveView('Fans');
  await other.page.close();
  await inbox.saveView('Disks again');
  await inbox.views.click();
  await page.getByRole('menuitemradio', { name: 'Fans' }).click();
  await expect(inbox.row('Fan broken')).toBeVisible();
  await expect(page).toHaveURL(/\?q=fan$/);

  await inbox.choose('Views', 'Manage views…');
  const dialog = page.getByRole('dialog', { name: 'Views' });
  const row = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
  await row('Disks 💽').getByRole('button', { name: 'Set as default' }).press('Enter');
  await expect(row('Disks 💽')).toContainText('Default');
  await row('Disks again').getByRole('button', { name: 'Delete Disks again' }).press('Enter');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(row('Disks again')).toHaveCount(0);
  // A key must not reach the list behind the dialog.
  await expect(dialog.getByRole('list')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(inbox.views).toBeFocused();

  await inbox.open();
  await expect(page).toHaveURL(/\?q=disk$/);
  await expect(inbox.row('Disk full')).toBeVisible();
});
