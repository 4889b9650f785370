import type { Locator } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { advance, expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

test('300 categories are loaded as they scroll into view', async ({ page, bridge }) => {
  for (let start = 0; start < 600; start += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        bridge.send({ title: `Number ${start + index}`, category: `category-${(start + index) % 300}` })
      )
    );
  }
  const requests: string[] = [];
  page.on('request', (request) => request.url().includes('/api/v1/notifications') && requests.push(request.url()));
  await page.clock.install();
  const inbox = new Inbox(page);
  await inbox.open();
  await expect(inbox.headers.first()).toBeVisible();
  await advance(page, 1000);
  expect(requests.length).toBeLessThan(20);
  await expect.poll(() => page.locator('[role=row]').count()).toBeLessThan(60);

  await inbox.headers.first().focus();
  await page.keyboard.press('End');
  await expect(inbox.rows.last()).toBeVisible();
  await expect(page.locator('[data-type=loading]')).toHaveCount(0);
  await inbox.choose('Inbox actions', /^Categories/);
  await page.getByPlaceholder('Search categories').fill('category-299');
  await expect(page.getByRole('dialog').getByText('Category-299')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
});

test('a long group is loaded in pages', async ({ page, bridge }) => {
  for (let start = 0; start < 250; start += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        // This many notifications of one package would be one row.
        bridge.send({ title: `Long ${start + index}`, category: 'long', dnpName: `package-${index % 5}` })
      )
    );
  }
  await bridge.send({ title: 'Short', category: 'short' });
  const inbox = new Inbox(page);
  await inbox.open();
  await expect(inbox.row(/Long/)).not.toHaveCount(0);
  // The list grows while it renders, so its end may move.
  const comesAtTheEnd = (button: Locator) =>
    expect
      .poll(async () => {
        await inbox.list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return button.isVisible();
      })
      .toBe(true);
  const more = page.getByRole('button', { name: 'Show 50 more of 240' });
  await comesAtTheEnd(more);
  await more.click();
  await comesAtTheEnd(page.getByRole('button', { name: 'Show 50 more of 190' }));
});

test('beside the sidebar of another plugin, where the page and not the document scrolls', async ({ page, bridge }) => {
  await bridge.sendAll(Array.from({ length: 40 }, (_, index) => ({ title: `T${index}`, category: `c${index % 20}` })));
  await page.setViewportSize({ width: 800, height: 700 });
  const inbox = new Inbox(page);
  await inbox.open();
  await expect(inbox.row('T39')).toBeVisible();
  // Like Grafana's AppChrome with an open sidebar: the page is narrower and scrolls by itself.
  await page.addStyleTag({
    content: `
      #reactRoot { height: 100vh; overflow: hidden }
      #pageContent { height: 100%; min-height: 0; overflow: auto; max-width: calc(100% - 200px) }
    `,
  });
  const last = inbox.headers.last();
  await expect
    .poll(async () => {
      await page.locator('#pageContent').evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return inbox.titles();
    })
    .toContain('T0');
  await expect(last).toBeInViewport();
  await expect(inbox.row('T39')).toHaveCount(0);
});

test('a very long body is cut until expanded', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.send({ title: 'Long', body: `${'Many words, and then more. '.repeat(400)}THE END` });
  await inbox.open();
  await inbox.row('Long').click();
  await expect(inbox.detail).toContainText('Many words');
  await expect(inbox.detail).not.toContainText('THE END');
  await inbox.detail.getByRole('button', { name: /^Show all/ }).click();
  await expect(inbox.detail).toContainText('THE END');
});

test('a body that is cut in the list is loaded in full, and the page stays usable', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  const line = 'level=error msg="could not reach the peer" attempt=';
  const body = `${Array.from({ length: 16_000 }, (_, index) => line + String(index)).join('\n')}\nTHE END`;
  await bridge.send({
    title: `🦊${'A long title '.repeat(100)}`,
    body,
    category: '🚀'.repeat(250),
    dnpName: '🦊'.repeat(250),
  });
  await inbox.open();
  await inbox.row('🦊').click();
  // Long names do not push the body out of view.
  await expect(inbox.detail.getByText('attempt=0').first()).toBeInViewport();
  await inbox.detail.getByRole('button', { name: /^Show all \([\d,.]+ [kM]B\)$/ }).click();
  await expect(inbox.detail.getByText('THE END')).toBeAttached();
  const end = inbox.detail.getByText('THE END');
  // Content that scrolls into view is laid out and may move the end.
  await expect(async () => {
    await end.scrollIntoViewIfNeeded();
    await expect(end).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await expect.poll(() => inbox.frame.overflow()).toBeLessThanOrEqual(0);
  await inbox.detail.getByRole('button', { name: 'Show less' }).click();
  await expect(inbox.detail.getByText('THE END')).toHaveCount(0);
});

test('Markdown that is too expensive to parse is shown as text', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.sendAll([
    { title: 'Emphasis', body: '*a_'.repeat(20_000) },
    { title: 'Quotes', body: '> '.repeat(30_000) },
    { title: 'Some quotes', body: `${'> '.repeat(1150)}deep` },
  ]);
  await inbox.open();
  for (const title of ['Emphasis', /^(?!.*Some).*Quotes/]) {
    await inbox.row(title).click();
    await inbox.detail.getByRole('button', { name: /^Show all/ }).click();
    await expect(inbox.detail.getByRole('button', { name: 'Show less' })).toBeVisible();
  }
  await inbox.row('Some quotes').click();
  await expect(inbox.detail).toContainText('deep');
});

test('the category filter shows how many more there are, and accepts a typed name', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  // New names are counted by sender, and remembered: a sender and names of its own.
  const { token } = await bridge.call<{ token: string }>('POST', '/api/v1/tokens', { name: 'categories' });
  const alerts = Array.from({ length: 505 }, (_, index) => ({
    status: 'firing',
    labels: { alertname: `Alert ${index}`, category: `kind-${index}` },
    startsAt: '2026-11-21T09:00:00Z',
    fingerprint: `f${index}`,
  }));
  await fetch(`${bridge.url}/api/v1/webhooks/alertmanager`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ version: '4', status: 'firing', alerts }),
  });
  // The menu has the options of the moment at which it opens.
  const counted = page.waitForResponse(/\/notifications\/facets/);
  await inbox.open();
  await counted;
  const menu = page.getByRole('combobox', { name: 'Categories' });
  await menu.click();
  await expect(page.getByText('1 more; type the name')).toBeVisible();
  // The category that is not listed has five.
  await menu.fill('other');
  await page.getByRole('option', { name: /^other/ }).click();
  await expect(inbox.rows).toHaveCount(5);
});

test('right-to-left text, emoji and endless words do not break the layout', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.sendAll([
    { title: 'اختبار الإشعارات', body: 'نص عربي 🎉' },
    { title: `🚀${'long'.repeat(100)}`, body: 'x'.repeat(5000) },
  ]);
  await inbox.open();
  await inbox.row('🚀').click();
  await expect(inbox.detail).toBeVisible();
  await expect.poll(() => inbox.frame.overflow()).toBeLessThanOrEqual(0);
  await inbox.row('اختبار').click();
  await expect(inbox.detail.getByText('نص عربي 🎉').first()).toHaveCSS('direction', 'rtl');
});

test(
  'Markdown is rendered without HTML and images, and with allowed links only',
  { tag: '@hosts' },
  async ({ page, bridge }) => {
    const inbox = new Inbox(page);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await bridge.send({
      title: '<img src=x onerror=alert(1)>',
      body: 'Text <script>window.hacked = 1</script> **bold** ![chart](https://tracker.example/pixel.png) [bad](javascript:alert(1)) [good](https://example.org/) [own](/d/host) <img src="https://tracker.example/2.png">',
      callToAction: { title: 'Elsewhere', url: 'https://example.org/do' },
    });
    await inbox.open();
    await inbox.row('onerror').click();
    await expect(inbox.detail.locator('strong')).toHaveText('bold');
    await expect(inbox.detail.locator('img')).toHaveCount(0);
    await expect(inbox.detail.getByRole('link', { name: 'chart' })).toHaveAttribute(
      'href',
      'https://tracker.example/pixel.png'
    );
    await expect(inbox.detail.getByRole('link', { name: 'bad' })).toHaveCount(0);
    await expect(inbox.detail.getByRole('link', { name: 'good' })).toHaveAttribute('target', '_blank');
    await expect(inbox.detail.getByRole('link', { name: 'good' })).toHaveAttribute('rel', 'noopener noreferrer');
    await expect(inbox.detail.getByRole('link', { name: 'own' })).not.toHaveAttribute('target', '_blank');
    await expect(inbox.detail.getByRole('link', { name: 'Elsewhere' })).toHaveAttribute('rel', 'noopener noreferrer');
    expect(requests.filter((url) => url.includes('tracker.example'))).toEqual([]);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  }
);

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 800, height: 900 } });

  test('the detail opens in a drawer', { tag: '@hosts' }, async ({ page, bridge }) => {
    const inbox = new Inbox(page);
    await bridge.sendAll([{ title: 'One' }, { title: 'Two' }]);
    await inbox.open();
    await inbox.row('Two').click();
    await expect(page.getByRole('dialog').locator('[data-detail]')).toContainText('Two');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await expect(inbox.detail).toHaveCount(0);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the detail replaces the list, with back, previous and next', async ({ page, bridge }) => {
    const inbox = new Inbox(page);
    await bridge.sendAll([
      { title: 'Banner', isBanner: true, status: 'triggered', priority: 'critical', category: 'a' },
      { title: 'One', category: 'b' },
      { title: 'Two', category: 'b' },
    ]);
    await inbox.open();
    await expect.poll(() => inbox.frame.overflow()).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await inbox.row('Two').click();
    await expect(inbox.detail).toContainText('Two');
    await expect(inbox.list).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Next notification' }).click();
    await expect(inbox.detail).toContainText('One');
    await page.getByRole('button', { name: 'Previous notification' }).click();
    await expect(inbox.detail).toContainText('Two');
    await expect.poll(() => inbox.frame.overflow()).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Inbox', exact: true }).click();
    await expect(inbox.row('Two')).toBeVisible();
  });

  test('the actions on selected rows stay in view while the page scrolls', async ({ page, bridge }) => {
    const inbox = new Inbox(page);
    await bridge.sendAll(Array.from({ length: 40 }, (_, index) => ({ title: `Row ${index}.` })));
    await inbox.open();
    await inbox.row('Row 39.').focus();
    await page.keyboard.press('x');
    await page.evaluate(() => window.scrollTo(0, 2000));
    await expect(inbox.row('Row 39.')).not.toBeInViewport();
    const read = inbox.bulkBar.getByRole('button', { name: 'Mark read' });
    await expect(read).toBeInViewport({ ratio: 1 });
    await read.click();
    await expect(inbox.bulkBar).toHaveCount(0);
  });
});
