/** Several users of one inbox: each has an own read state. */
import type { Response } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

const isMarking = (response: Response): boolean =>
  response.request().method() === 'PUT' && response.url().includes('/notifications/seen');

test('read state is per user, on all pages of each', async ({ page, context, browser, bridge, baseURL }) => {
  const mine = new Inbox(page);
  await mine.open();
  const guest = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  const theirs = new Inbox(await guest.newPage());
  await theirs.open('', { role: 'Viewer' });
  await bridge.sendAll([{ title: 'For both' }, { title: 'For both as well', isBanner: true, status: 'triggered' }]);
  const mineToo = new Inbox(await context.newPage());
  await mineToo.open();
  for (const inbox of [mine, mineToo, theirs]) {
    await expect(inbox.tab('Unread')).toContainText('2');
    await expect(inbox.row('For both')).toHaveCount(2);
  }

  await mine.row('For both as well').focus();
  await page.keyboard.press('e');
  for (const inbox of [mine, mineToo]) {
    await expect(inbox.tab('Unread')).toContainText('1');
    await expect(inbox.banners).toHaveCount(0);
    await expect(inbox.isUnread(inbox.row('For both as well'))).toHaveCount(0);
  }
  await expect
    .poll(async () => (await bridge.list()).map(({ title, seen }) => [title, seen]))
    .toEqual([
      ['For both as well', true],
      ['For both', false],
    ]);
  // Events arrive in order, so the other user has processed the earlier ones.
  await bridge.send({ title: 'Another' });
  await expect(theirs.tab('Unread')).toContainText('3');
  await expect(theirs.banners).toHaveCount(1);
  await expect(theirs.isUnread(theirs.row('For both as well'))).toHaveCount(1);

  // The page updates optimistically, and a reload would cancel its request.
  const marked = theirs.page.waitForResponse(isMarking);
  await theirs.row('For both as well').focus();
  await theirs.page.keyboard.press('e');
  await marked;
  await expect(theirs.tab('Unread')).toContainText('2');
  await theirs.page.reload();
  await expect(theirs.tab('Unread')).toContainText('2');
  await expect(mine.tab('Unread')).toContainText('2');
  await guest.close();
});

test('marking as unread affects only the own read state', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await inbox.open();
  await bridge.send({ title: 'Once more' });
  await inbox.row('Once more').click();
  await expect(inbox.tab('Unread')).not.toContainText('1');
  await expect.poll(() => bridge.list()).toMatchObject([{ seen: true }]);
  await page.keyboard.press('Escape');
  const marked = page.waitForResponse(isMarking);
  await inbox.row('Once more').focus();
  await page.keyboard.press('u');
  await marked;
  await expect(inbox.tab('Unread')).toContainText('1');
  await page.reload();
  await expect(inbox.isUnread(inbox.row('Once more'))).toHaveCount(1);
  expect(await bridge.list()).toMatchObject([{ seen: true }]);
});
