import type { EndpointOverview, EndpointPackage } from '../../backend-bridge/contract/endpoint.ts';
import { expectAccessible } from './support/axe.ts';
import { CPU, DMS, keptOf, LOAD, notificationsOf, registerDms, SYNCED } from './support/endpoints.ts';
import { aManifest, register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Packages } from './views/packages.ts';
import { Thresholds } from './views/thresholds.ts';

test('switches of endpoint, package and category, and their labels', { tag: '@hosts' }, async ({ page, bridge }) => {
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open();
  const card = thresholds.card(DMS);
  await expect(card).toContainText('3 endpoints, all on');
  await thresholds.switchOf('dms-cpu').setChecked(false, { force: true });
  await expect(card).toContainText('3 endpoints, 2 on');
  await expect(thresholds.slider('dms-cpu')).toBeDisabled();
  await expect.poll(async () => (await keptOf(bridge, 'dms-cpu'))?.enabled.value).toBe(false);

  await thresholds.category('Ethereum').setChecked(false, { force: true });
  await expect(thresholds.endpoint('dms-synced')).toContainText('Muted by category Ethereum');
  await expect(thresholds.switchOf('dms-synced')).toBeChecked();
  await expect(thresholds.switchOf('dms-synced')).toBeDisabled();
  await thresholds.category('Ethereum').setChecked(true, { force: true });
  await expect(thresholds.switchOf('dms-synced')).toBeEnabled();

  await thresholds.packageSwitch(DMS).setChecked(false, { force: true });
  await expect(card).toContainText('3 endpoints, muted by the package switch');
  await expect(thresholds.switchOf('dms-load')).toBeDisabled();
  // Leaving the page cancels its requests.
  await expect
    .poll(async () => (await bridge.call<EndpointOverview>('GET', '/api/v1/endpoints')).packages[0]?.enabled.value)
    .toBe(false);
  await page.reload();
  await expect(thresholds.packageSwitch(DMS)).not.toBeChecked();
});

test('links from a notification to the thresholds of its package', async ({ page, bridge }) => {
  await registerDms(bridge);
  await register(bridge, {}, { notifications: notificationsOf({ ...CPU, id: 'geth-peers', title: 'Peers' }) });
  const { id } = await bridge.send({ dnpName: DMS, title: 'CPU at 91 %', correlationId: 'dms-cpu' });
  const thresholds = new Thresholds(page);
  await thresholds.frame.open(`inbox?id=${id}`);
  await page.locator('[data-detail]').getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Thresholds of dms' }).click();
  await expect(thresholds.frame.title).toHaveText('Thresholds');
  await expect(thresholds.endpoints).toHaveCount(3);
  await expect(thresholds.endpoint('dms-cpu')).toBeVisible();
});

test('a new recommendation of a package is shown, and the configured value stays', async ({ page, bridge }) => {
  await registerDms(bridge);
  await bridge.call('PATCH', `/api/v1/packages/${DMS}/endpoints/dms-cpu`, { threshold: 60 });
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await bridge.call('PUT', `/api/v1/packages/${DMS}`, {
    manifest: aManifest({ name: DMS, version: '0.2.0' }),
    notifications: notificationsOf({ ...CPU, condition: '[BODY].cpu <= 85' }),
  });
  const endpoint = thresholds.endpoint('dms-cpu');
  await expect(endpoint).toContainText('Your value is 60 %');
  await expect(thresholds.slider('dms-cpu')).toHaveValue('60');
  await endpoint.getByRole('button', { name: 'Keep 60 %' }).click();
  await expect(endpoint).not.toContainText('Your value is 60 %');
  await endpoint.getByRole('button', { name: 'Reset to 85 %' }).click();
  await expect(thresholds.slider('dms-cpu')).toHaveValue('85');
});

test('saved settings of a removed endpoint are shown until discarded', async ({ page, bridge }) => {
  await register(bridge, { name: DMS }, { notifications: notificationsOf(CPU, LOAD) });
  await bridge.call('PATCH', `/api/v1/packages/${DMS}/endpoints/dms-load`, { threshold: 0.5 });
  await bridge.call('PUT', `/api/v1/packages/${DMS}`, {
    manifest: aManifest({ name: DMS, version: '0.2.0' }),
    notifications: notificationsOf(CPU),
  });
  const thresholds = new Thresholds(page);
  await thresholds.open('', { role: 'Viewer' });
  const kept = thresholds.card(DMS).getByRole('listitem').filter({ hasText: 'dms-load threshold 0.5.' });
  const forget = kept.getByRole('button', { name: 'Discard saved settings of dms-load' });
  await expect(kept).toBeVisible();
  await expect(forget).toHaveCount(0);
  await thresholds.open('', { role: 'Editor' });
  await expectAccessible(page);
  await forget.click();
  await expect(kept).toHaveCount(0);
  const { leftovers } = await bridge.call<EndpointPackage>('GET', `/api/v1/packages/${DMS}/endpoints`);
  expect(leftovers).toEqual([]);
});

test('a package that is off keeps its switch without endpoints', async ({ page, bridge }) => {
  await registerDms(bridge);
  await bridge.call('PATCH', `/api/v1/packages/${DMS}/settings`, { enabled: false });
  await bridge.call('PUT', `/api/v1/packages/${DMS}`, { manifest: aManifest({ name: DMS, version: '0.2.0' }) });
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await expect(thresholds.card(DMS)).toContainText('No endpoints, muted by the package switch');
  await expectAccessible(page);
  await thresholds.packageSwitch(DMS).setChecked(true, { force: true });
  await expect(thresholds.card(DMS)).not.toContainText('muted');
  // The page updates optimistically.
  await expect
    .poll(async () => (await bridge.call<EndpointPackage>('GET', `/api/v1/packages/${DMS}/endpoints`)).enabled.value)
    .toBe(true);
});

test('settings that are not applied show the reason', async ({ page, bridge }) => {
  await registerDms(bridge);
  // The bridge of these tests has no monitors, so their state is added to its response.
  await page.route('**/api/v1/endpoints', async (route) => {
    const response = await route.fetch();
    const overview = (await response.json()) as EndpointOverview;
    const nextTryAt = new Date(Date.now() + 60_000).toISOString();
    const pending = { monitor: 'gatus', state: 'pending', reason: 'The file cannot be written.', nextTryAt } as const;
    overview.monitors = [pending];
    const [one] = overview.packages;
    one!.problems = [{ file: 'settings.yaml', line: 4, column: 7, detail: 'A threshold is a number.' }];
    const [cpu, synced, load] = one!.endpoints;
    cpu!.effects = [pending, { monitor: 'prometheus', state: 'applied' }];
    Object.assign(synced!, { active: false, inactive: 'It requires lighthouse, which is not registered.' });
    Object.assign(load!.threshold!, { origin: 'provisioned', file: 'settings.yaml' });
    load!.effects = [{ monitor: 'grafana', state: 'read-only', reason: 'A file provisions the rule.' }];
    await route.fulfill({ response, json: overview });
  });
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await expect(page.getByText('Some settings are not applied yet')).toBeVisible();
  await expect(thresholds.card(DMS)).toContainText('1 pending');
  await expect(thresholds.card(DMS)).toContainText('settings.yaml, line 4, column 7');
  const cpu = thresholds.endpoint('dms-cpu');
  await expect(cpu).toContainText(/Gatus pending: The file cannot be written. Retrying in \d+ s/);
  await expect(cpu).toContainText('Prometheus rule applied');
  await expect(thresholds.endpoint('dms-synced')).toContainText('Not active: It requires lighthouse');
  const load = thresholds.endpoint('dms-load');
  await expect(load).toContainText('Read-only: provisioned from settings.yaml');
  await expect(load).toContainText('Grafana rule read-only: A file provisions the rule.');
  await expect(thresholds.slider('dms-load')).toBeDisabled();
  await expect(load.getByRole('button')).toHaveCount(0);
  await expectAccessible(page);
});

test('without endpoints the page explains how to define them', async ({ page }) => {
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await expect(page.getByText('No package defines notifications')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Packages' }).click();
  await expect(thresholds.frame.title).toHaveText('Packages');
});

test('packages registered or removed elsewhere appear and disappear', async ({ page, bridge }) => {
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await registerDms(bridge);
  await expect(thresholds.endpoint('dms-cpu')).toBeVisible();
  await bridge.call('DELETE', `/api/v1/packages/${DMS}`);
  await expect(thresholds.cards).toHaveCount(0);
});

test('while the bridge is down the thresholds stay, and recover automatically', async ({ page, bridge }) => {
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await bridge.stop();
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeVisible();
  await expect(thresholds.endpoint('dms-cpu')).toBeVisible();
  await bridge.start();
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeHidden();
});

test('search finds packages and endpoints, and is kept in the URL', async ({ page, bridge }) => {
  await registerDms(bridge);
  await register(bridge, {}, { notifications: notificationsOf({ ...CPU, id: 'geth-peers', title: 'Peers' }) });
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await expect(thresholds.endpoints).toHaveCount(4);
  await thresholds.search.fill('load');
  await expect(thresholds.endpoints).toHaveCount(1);
  await expect(page.getByText('1 of 4 endpoints')).toBeVisible();
  await expect(thresholds.card(DMS)).toContainText('2 more endpoints do not match the search');
  await expect(page).toHaveURL(/q=load/);
  await thresholds.search.fill('geth');
  await expect(thresholds.endpoint('geth-peers')).toBeVisible();
  await thresholds.search.fill('nothing of the kind');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(thresholds.endpoints).toHaveCount(4);
});

test('settings made in the wizard apply before the first notification', async ({ page, bridge }) => {
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  const packages = new Packages(page);
  await packages.frame.open('packages/add');
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file('dappnode_package.json', aManifest({ name: DMS })),
      file('notifications.json', notificationsOf(CPU, SYNCED, LOAD)),
    ]);
  await expect(page.getByText(/notifications.yaml, \d+ line/)).toBeVisible();
  await packages.button('Validate').click();
  await packages.button('Continue').click();
  await expect(packages.step()).toHaveText(/Notifications/);
  const thresholds = new Thresholds(page);
  await thresholds.field('dms-cpu').fill('60');
  await thresholds.field('dms-cpu').press('Enter');
  await thresholds.field('dms-load').fill('2');
  await thresholds.field('dms-load').press('Enter');
  await thresholds.endpoint('dms-load').getByRole('button', { name: 'Reset to 0.75' }).click();
  await thresholds.switchOf('dms-synced').setChecked(false, { force: true });
  await expectAccessible(page);
  await packages.button('Continue').click();
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/packages'));
  await packages.button('Register').click();
  expect(((await sent).postDataJSON() as { settings: unknown }).settings).toEqual({
    endpoints: { 'dms-cpu': { threshold: 60 }, 'dms-synced': { enabled: false } },
  });
  await expect(page).toHaveURL(new RegExp(`/packages/${DMS}$`));
  expect((await keptOf(bridge, 'dms-cpu'))?.condition?.effective).toBe('[BODY].cpu <= 60');
  expect((await keptOf(bridge, 'dms-synced'))?.enabled.value).toBe(false);
  expect((await keptOf(bridge, 'dms-load'))?.threshold?.origin).toBe('package');
});

for (const theme of ['dark', 'light'] as const) {
  test(`accessible, ${theme}, and within a phone`, async ({ page, bridge }) => {
    const long = { ...LOAD, id: 'dms-long', title: `🎉 ${'A very long name '.repeat(18)}مراقبة عدد الأقران` };
    await register(bridge, { name: DMS }, { notifications: notificationsOf(CPU, SYNCED, LOAD, long) });
    await bridge.call('PATCH', `/api/v1/packages/${DMS}/endpoints/dms-cpu`, { threshold: 60 });
    await bridge.call('PATCH', `/api/v1/packages/${DMS}/endpoints/dms-load`, { enabled: false });
    const thresholds = new Thresholds(page);
    await thresholds.open('', { theme });
    await thresholds.field('dms-cpu').fill('101');
    await expect(thresholds.endpoint('dms-cpu').getByRole('alert')).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => thresholds.frame.overflow()).toBe(0);
    await expectAccessible(page);
  });
}
