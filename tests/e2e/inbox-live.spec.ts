import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

test('arrivals stay pending while the user reads, and do not move the list', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.sendAll(Array.from({ length: 30 }, (_, index) => ({ title: `Old ${index}`, category: 'news' })));
  await inbox.open('category=news');
  await inbox.row('Old 25').click();
  await expect(inbox.detail).toContainText('Old 25');
  // Marked as read after a second; nothing else changes by itself.
  await expect(inbox.isUnread(inbox.row('Old 25'))).toHaveCount(0);
  const before = await inbox.row('Old 25').boundingBox();
  await bridge.sendAll([
    { title: 'New 1', category: 'news' },
    { title: 'New 2', category: 'news' },
    { title: 'New 3', category: 'news' },
  ]);
  await expect(inbox.newPill).toHaveText('3 new');
  await expect(inbox.tab('Unread')).toContainText('32');
  expect(await inbox.row('Old 25').boundingBox()).toEqual(before);
  await expect(inbox.row('New 1')).toHaveCount(0);

  await page.keyboard.press('n');
  await expect(inbox.newPill).toHaveCount(0);
  await expect(inbox.row('New 3')).toBeFocused();
  await expect.poll(async () => (await inbox.titles()).slice(0, 3)).toEqual(['New 3', 'New 2', 'New 1']);
});

test('arrivals before the stream opens are shown', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  let arrived = () => undefined as void;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  await page.route('**/api/v1/events*', async (route) => {
    await arrival;
    await route.continue();
  });
  await inbox.open();
  await expect(page.getByText('No notifications', { exact: true })).toBeVisible();
  await bridge.send({ title: 'Early' });
  arrived();
  await expect(inbox.row('Early')).toBeVisible();
  await expect(inbox.newPill).toHaveCount(0);
});

test('changes in another tab appear: marks, deletions, news of a thread', async ({ page, context, bridge }) => {
  const here = new Inbox(page);
  await bridge.sendAll([
    { title: 'Marked there' },
    { title: 'Deleted there' },
    { title: 'Goes on', status: 'triggered', correlationId: 'g' },
  ]);
  await here.open();
  const there = new Inbox(await context.newPage());
  await there.open();
  await there.row('Marked there').focus();
  await there.page.keyboard.press('e');
  await expect(here.isUnread(here.row('Marked there'))).toHaveCount(0);
  await there.row('Deleted there').focus();
  await there.page.keyboard.press('#');
  await expect(here.row('Deleted there')).toHaveCount(0);

  await here.row('Goes on').click();
  await expect(here.detail).toContainText('Open for');
  await bridge.send({ title: 'It is over', status: 'resolved', correlationId: 'g' });
  await expect(here.detail).toContainText('Resolved at');
  await expect(here.detail).toContainText('2 notifications');
  await expect(here.row('Goes on')).toContainText('Resolved');
  await expect(here.newPill).toHaveText('1 new');
});

test('ten tabs share one stream, and all receive every event', async ({ context, bridge }) => {
  const tabs: Inbox[] = [];
  for (let index = 0; index < 10; index += 1) {
    const tab = new Inbox(await context.newPage());
    await tab.open();
    tabs.push(tab);
  }
  await expect.poll(() => bridge.streams()).toBe(1);
  await bridge.send({ title: 'To everybody' });
  await Promise.all(tabs.map((tab) => expect(tab.row('To everybody')).toBeVisible()));

  await tabs[0]?.page.close();
  await bridge.send({ title: 'Right after the leader left' });
  await Promise.all(tabs.slice(1).map((tab) => expect(tab.row('Right after')).toBeVisible()));
  await expect.poll(() => bridge.streams()).toBe(1);
});

test('after the bridge was down no notification is missing', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.send({ title: 'Before' });
  await inbox.open();
  await expect(inbox.row('Before')).toBeVisible();
  await bridge.stop('SIGKILL');
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeVisible();
  await expect(inbox.row('Before')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark all read' })).toBeDisabled();
  await expect(page.getByText(/Retrying in \d+ s/)).toBeVisible();

  await page.getByRole('button', { name: 'Retry now' }).click();
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeVisible();
  await bridge.start();
  await bridge.send({ title: 'While it was away' });
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeHidden();
  await expect(inbox.row('While it was away').or(inbox.newPill).first()).toBeVisible();
  await inbox.rest();
  await page.keyboard.press('n');
  await expect(inbox.row('While it was away')).toBeVisible();
  await expect
    .poll(
      async () => {
        await bridge.send({ title: `Live again ${Date.now()}` });
        return inbox
          .row(/^.*Live again/)
          .or(inbox.newPill)
          .count();
      },
      { timeout: 40_000, intervals: [1000] }
    )
    .toBeGreaterThan(0);
});
