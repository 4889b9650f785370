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

test(
  'groups by a label: loading, folding, actions and saved views',
  { tag: '@hosts' },
  async ({ page, ownBridge: bridge }) => {
    const inbox = new Inbox(page);
    const labelled = (team: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ title: `${team} ${index}`, labels: { team, zone: `${index}` } }));
    const open = { status: 'triggered', priority: 'critical', labels: { team: 'ops "x"' } };
    // Labels with few values are not on the first page.
    await bridge.sendAll([...labelled('far', 3), { title: 'No labels' }, ...labelled('dev', 120)]);
    await bridge.sendAll([{ title: 'Fire', correlationId: 'fire', ...open }]);
    await inbox.open();
    await page.getByRole('combobox', { name: 'Group by' }).fill('te');
    await page.getByRole('option', { name: 'By team' }).click();
    await expect(page).toHaveURL(/\?groupBy=team$/);
    await expect(inbox.header('ops "x"')).toContainText('1 open, 1 unread');
    await inbox.saveView('Teams');
    await inbox.header('dev').press('ArrowLeft');
    await expect(inbox.headers).toHaveText([
      /^ops "x"1 open, 1 unread/,
      /^dev120 unread/,
      /^far3 unread/,
      /^No team1 unread/,
    ]);
    await expect(inbox.rows).toHaveText([/Fire/, /far 2/, /far 1/, /far 0/, /No labels/]);

    await inbox.choose('Actions for far', 'Mark far read');
    await expect(inbox.header('far')).toContainText('3 notifications');
    await expect(inbox.header('dev')).toContainText('120 unread');
    await inbox.choose('Actions for No team', 'Show only No team');
    await expect(inbox.rows).toHaveText([/No labels/]);
    await expect(inbox.headers).toHaveText([/^No team/]);
    await bridge.send({ title: 'Still none', labels: { zone: '1' } });
    await expect(inbox.row('Still none').or(inbox.newPill)).toBeVisible();

    await inbox.open();
    await expect(inbox.header('Other')).toBeVisible();
    await inbox.views.click();
    await page.getByRole('menuitemradio', { name: 'Teams' }).click();
    await expect(inbox.header('dev')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Group by' })).toHaveValue('By team');
  }
);
