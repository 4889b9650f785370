import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

test(
  'three banners are shown, critical first; dismissing one marks its thread as read',
  { tag: '@hosts' },
  async ({ page, bridge }) => {
    const inbox = new Inbox(page);
    const banner = (title: string, more = {}) => ({
      title,
      isBanner: true,
      status: 'triggered',
      correlationId: title,
      ...more,
    });
    await bridge.sendAll([
      banner('Critical', { priority: 'critical' }),
      banner('One'),
      banner('Two'),
      banner('Three'),
      banner('Four'),
    ]);
    await inbox.open();
    await expect(inbox.banners).toHaveCount(3);
    await expect(inbox.banners.first()).toContainText('Critical');
    await page.getByRole('button', { name: '2 more banners' }).click();
    await expect(inbox.banners).toHaveCount(5);
    await inbox.banners.first().getByRole('button', { name: 'Close alert' }).click();
    await expect(inbox.banners).toHaveCount(4);
    await expect(inbox.banners.filter({ hasText: 'Critical' })).toHaveCount(0);
    await expect(inbox.row('Critical')).toBeVisible();
    await bridge.send({ title: 'Four', status: 'resolved', correlationId: 'Four' });
    await expect(inbox.banners.filter({ hasText: 'Four' })).toHaveCount(0);
  }
);

test('entries of a thread over several days are aligned', async ({ page, bridge }) => {
  for (const title of ['First', 'Second', 'Third']) {
    await bridge.send({ title, status: 'triggered', correlationId: 'days', category: 'hardware' });
  }
  // Timestamps are set by the bridge.
  await page.route(/\/notifications\/\d+$/, async (route) => {
    const answer = await route.fetch();
    const detail = (await answer.json()) as { members: Array<{ timestamp: string }> };
    detail.members.forEach((member, index) => {
      member.timestamp = new Date(Date.now() - index * 86_400_000).toISOString();
    });
    await route.fulfill({ response: answer, json: detail });
  });
  const inbox = new Inbox(page);
  await inbox.open();
  await inbox.row('Third').click();
  const entries = inbox.detail.getByRole('region', { name: 'Thread' }).getByRole('listitem');
  await expect(entries).toHaveCount(3);
  const lefts = await entries
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
  expect(new Set(lefts).size).toBe(1);
});

test('resolves a thread manually', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.send({ title: 'Forgotten', status: 'triggered', correlationId: 'f' });
  await inbox.open('tab=open');
  await inbox.row('Forgotten').click();
  await inbox.detail.getByRole('button', { name: 'Resolve' }).click();
  await expect(inbox.detail).toContainText('Resolved manually');
  await expect(inbox.tab('Open')).toContainText('0');
});

test('notifications of a muted category are stored, neither shown nor counted, and listed under Muted', async ({
  page,
  bridge,
}) => {
  const inbox = new Inbox(page);
  await bridge.send({ title: 'Before', category: 'hardware' });
  await inbox.open();
  const hardware = async () =>
    (await bridge.call<Array<{ category: string; enabled: boolean }>>('GET', '/api/v1/categories')).find(
      ({ category }) => category === 'hardware'
    )?.enabled;
  await inbox.choose('Actions for Hardware', /^Mute Hardware/);
  await expect(
    inbox
      .header('Hardware')
      .getByTitle(/^Muted/)
      .or(inbox.header('Hardware').locator('svg'))
      .first()
  ).toBeVisible();
  await expect.poll(hardware).toBe(false);
  await bridge.send({ title: 'Silent', category: 'hardware' });
  await bridge.send({ title: 'Loud', category: 'news' });
  await inbox.rest();
  await expect(inbox.row('Loud').or(inbox.newPill).first()).toBeVisible();
  await expect(inbox.row('Silent')).toHaveCount(0);
  await expect(inbox.tab('Unread')).toContainText('2');
  await inbox.tab('Muted').click();
  await expect(inbox.row('Silent')).toBeVisible();

  await inbox.choose('Inbox actions', /^Categories/);
  await page.getByRole('dialog').getByText('Hardware').click();
  await expect.poll(hardware).toBe(true);
});

test('a Viewer can read and mark, and is offered nothing that would be rejected', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.send({ title: 'Open one', status: 'triggered', correlationId: 'o', category: 'hardware' });
  await inbox.open('', { role: 'Viewer' });
  await inbox.row('Open one').click();
  await expect(inbox.detail).toBeVisible();
  await expect(inbox.tab('Unread')).toContainText('0');
  for (const name of ['Delete', 'Resolve', 'Mute Hardware']) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Actions for Hardware' }).click();
  await expect(page.getByRole('menuitem', { name: 'Mark Hardware read' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /Mute|Delete/ })).toHaveCount(0);
});
