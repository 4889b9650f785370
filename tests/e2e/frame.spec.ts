import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const CANVAS = { dark: 'rgb(24, 27, 31)', light: 'rgb(255, 255, 255)' };

for (const theme of ['dark', 'light'] as const) {
  test(
    `the built plugin renders its page in the host, ${theme}`,
    { tag: theme === 'dark' ? '@hosts' : [] },
    async ({ frame, page }) => {
      await frame.open('inbox', { theme });
      await expect(frame.title).toHaveText('Inbox');
      await expect(frame.breadcrumbs).toHaveText('HomeNodebellInbox');
      await expect(frame.menu.getByRole('link', { name: 'Inbox' })).toHaveAttribute('aria-current', 'page');
      await expect(page.locator('main')).toHaveCSS('background-color', CANVAS[theme]);
      await expect(page).toHaveURL(/\/inbox$/);
      await expectAccessible(page);
    }
  );
}

test('the theme is stored', async ({ frame, page }) => {
  await frame.open('inbox', { theme: 'light' });
  await frame.open();
  await expect(page.locator('main')).toHaveCSS('background-color', CANVAS.light);
});

test('the user menu changes the role', async ({ frame, page }) => {
  await frame.open();
  await frame.choose('Viewer');
  await expect(page.getByRole('button', { name: 'User menu: Viewer' })).toBeVisible();
});

test('the app’s root URL opens the inbox', async ({ frame, page }) => {
  await frame.open('');
  await expect(page).toHaveURL(/\/inbox$/);
});

test(
  'requests reach the bridge through the proxy, with the signed user',
  { tag: '@hosts' },
  async ({ page, frame, bridge }) => {
    const { id } = await bridge.send({ title: 'Hello' });
    await frame.open('inbox', { role: 'Viewer' });
    const base = '/api/plugin-proxy/nodebell-notifications-app/api/v1/notifications';
    const seen = await page.request.get(base);
    expect(((await seen.json()) as Array<{ id: number }>).map((item) => item.id)).toEqual([id]);
    expect((await page.request.delete(`${base}/${id}`)).status()).toBe(403);
  }
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the page has the full width, and the menu opens on request', async ({ frame, page }) => {
    await frame.open();
    await expect(frame.menu).toBeHidden();
    await expect(frame.breadcrumbs.getByText('Nodebell')).toBeVisible();
    await expect(frame.breadcrumbs.getByText('Home')).toBeHidden();
    await expect.poll(() => frame.overflow()).toBeLessThanOrEqual(0);
    await expect.poll(async () => (await frame.title.boundingBox())?.x).toBe(16);

    await frame.openMenu();
    await frame.menu.getByRole('link', { name: 'Inbox' }).click();
    await expect(frame.menu).toBeHidden();
    await expectAccessible(page);
  });
});
