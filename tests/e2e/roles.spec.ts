import { keptOf, registerDms } from './support/endpoints.ts';
import { register } from './support/packages.ts';
import { advance, expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';
import { Packages } from './views/packages.ts';
import { Thresholds } from './views/thresholds.ts';

const ACTION = 'nodebell-notifications-app';

test('an anonymous user can read, and nothing is marked or offered', async ({ page, bridge }) => {
  await bridge.send({
    title: 'Disk full',
    status: 'triggered',
    correlationId: 'd',
    category: 'hardware',
    isBanner: true,
  });
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/plugin-proxy/') && request.method() !== 'GET') {
      requests.push(`${request.method()} ${request.url()}`);
    }
  });
  await page.clock.install();
  const inbox = new Inbox(page);
  await inbox.open('', { role: 'Anonymous' });
  await expect(inbox.frame.menu.getByRole('link', { name: 'Configuration' })).toHaveCount(0);
  await expect(inbox.banners).toContainText('Disk full');
  await expect(inbox.banners.getByRole('button', { name: /Close|Dismiss/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Mark all/ })).toHaveCount(0);
  await inbox.row('Disk full').click();
  await expect(inbox.detail).toBeVisible();
  for (const name of [/Mark/, 'Delete', 'Resolve', /Mute/]) {
    await expect(inbox.detail.getByRole('button', { name })).toHaveCount(0);
  }
  await inbox.rest();
  for (const key of ['e', 'u', '#']) {
    await page.keyboard.press(key);
  }
  // Longer than a notification must be shown to count as read.
  await advance(page, 2500);
  expect(requests).toEqual([]);
  expect((await bridge.call<{ unseenCount: number }>('GET', '/api/v1/notifications/unseen')).unseenCount).toBe(1);
  await expect(inbox.frame.toasts).toHaveCount(0);
});

test('a Viewer with a granted permission is offered only what it allows', async ({ page, bridge }) => {
  await registerDms(bridge);
  await register(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open('', { role: 'Viewer', grants: 'thresholds:write' });
  await expect(thresholds.slider('dms-cpu')).toBeEnabled();
  await thresholds.switchOf('dms-cpu').setChecked(false, { force: true });
  await expect.poll(async () => (await keptOf(bridge, 'dms-cpu'))?.enabled.value).toBe(false);
  expect((await keptOf(bridge, 'dms-cpu'))?.enabled).toMatchObject({ setBy: 'viewer' });
  const packages = new Packages(page);
  await packages.open();
  await expect(page.getByRole('link', { name: 'Add package' })).toHaveCount(0);
});

test('the page has the permissions that the plugin’s roles grant', async ({ page }) => {
  const inbox = new Inbox(page);
  const actions = async () =>
    (
      await page.evaluate(() =>
        Object.keys(
          (window as unknown as { grafanaBootData: { user: { permissions: object } } }).grafanaBootData.user.permissions
        )
      )
    )
      .filter((action) => action.startsWith(ACTION))
      .map((action) => action.slice(ACTION.length + 1))
      .filter((action) => !/:(read|seen)$/.test(action))
      .toSorted();
  await inbox.open('', { role: 'Viewer' });
  expect(await actions()).toEqual(['push:own']);
  await inbox.open('', { role: 'Editor' });
  expect(await actions()).toEqual(['inbox:write', 'packages:write', 'push:own', 'thresholds:write']);
  await inbox.open('', { role: 'Admin' });
  expect(await actions()).toContain('bridge:admin');
});
