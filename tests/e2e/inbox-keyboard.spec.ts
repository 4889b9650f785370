import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

test('keyboard shortcuts', { tag: '@hosts' }, async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.sendAll([{ title: 'Lowest' }, { title: 'Middle' }, { title: 'Top' }]);
  await inbox.open();
  await expect(inbox.row('Top')).toBeVisible();
  await page.keyboard.press('j');
  await expect(inbox.row('Top')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(inbox.row('Lowest')).toBeFocused();
  await page.keyboard.press('k');
  await expect(inbox.row('Middle')).toBeFocused();
  await page.keyboard.press('e');
  await expect(inbox.isUnread(inbox.row('Middle'))).toHaveCount(0);
  await page.keyboard.press('u');
  await expect(inbox.isUnread(inbox.row('Middle'))).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(inbox.detail).toContainText('Middle');
  await expect(inbox.row('Middle')).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('x');
  await expect(inbox.bulkBar).toContainText('1 selected');
  await page.keyboard.press('Escape');
  await expect(inbox.bulkBar).toBeHidden();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('/');
  await expect(inbox.search).toBeFocused();
  await page.keyboard.type('just xzn');
  await expect(inbox.search).toHaveValue('just xzn');
  await expect(page.getByText('No matching notifications')).toBeVisible();
});

test('a dialog that is opened from a menu has the focus; Escape closes it alone', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  const { id } = await bridge.send();
  await inbox.open(`id=${id}`);
  const snooze = inbox.detail.getByRole('button', { name: 'Snooze' });
  await snooze.press('Enter');
  await page.getByRole('menuitem', { name: 'Until a date and time' }).click();
  await expect(page.getByRole('dialog').getByLabel(/^Date and time/)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(inbox.detail).toBeVisible();
  await expect(snooze).toBeFocused();
});

test('a key of Grafana’s own g sequences is not handled', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.send({ title: 'Only' });
  await inbox.open();
  await expect(inbox.row('Only')).toBeVisible();
  const left = await page.evaluate(() =>
    ['g', '?', '?'].map((key) =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    )
  );
  expect(left).toEqual([true, true, false]);
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('arrow keys move through the tree and collapse it', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.sendAll([
    { title: 'Older', category: 'hardware' },
    { title: 'Newer', category: 'news' },
  ]);
  await inbox.open();
  await inbox.row('Newer').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(inbox.header('News')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(inbox.header('News')).toHaveAttribute('aria-expanded', 'false');
  await expect(inbox.row('Newer')).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(inbox.header('Hardware')).toBeFocused();
  await page.keyboard.press('End');
  await expect(inbox.row('Older')).toBeFocused();
});

test('the selection bar does not cover the focused row', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await page.setViewportSize({ width: 800, height: 900 });
  await bridge.sendAll(Array.from({ length: 40 }, (_, index) => ({ title: `Row ${index}.` })));
  await inbox.open();
  await inbox.row('Row 39.').focus();
  await page.keyboard.press('x');
  for (let row = 38; row >= 15; row -= 1) {
    await page.keyboard.press('j');
    await expect(inbox.row(`Row ${row}.`)).toBeFocused();
  }
  for (let row = 16; row <= 34; row += 1) {
    await page.keyboard.press('k');
    await expect(inbox.row(`Row ${row}.`)).toBeFocused();
  }
  const [bar, row] = [await inbox.bulkBar.boundingBox(), await inbox.row('Row 34.').boundingBox()];
  expect(row!.y).toBeGreaterThanOrEqual(bar!.y + bar!.height);
});
