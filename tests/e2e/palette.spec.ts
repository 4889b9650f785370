import { expectAccessible } from './support/axe.ts';
import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';

test('commands open the pages and the package links', { tag: '@hosts' }, async ({ page, frame, bridge }) => {
  await register(bridge);
  await register(bridge, { name: 'monero.dnp.dappnode.eth', links: { homepage: 'https://monero.example.org' } });
  await frame.open();
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Commands' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  for (const title of ['Report', 'Channels', 'Packages']) {
    await choose(`Nodebell: ${title}`);
    await expect(frame.title).toHaveText(title);
  }
  await choose('Nodebell: Package links');
  const dialog = page.getByRole('dialog', { name: 'Package links' });
  const links = dialog.getByRole('list', { name: 'Links' }).getByRole('link');
  await expect(links).toHaveText([/geth.*Open UI/, /geth.*Homepage/, /monero.*Homepage/]);
  await expectAccessible(page);
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('home mon');
  await expect(links).toHaveCount(1);
  await expect(links.first()).toHaveAttribute('href', 'https://monero.example.org');
  await expect(links.first()).toHaveAttribute('rel', 'noopener noreferrer');
  await page.keyboard.type('x');
  await expect(dialog.getByRole('status')).toHaveText('No links found.');
});
