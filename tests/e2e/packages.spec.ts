import { expectAccessible } from './support/axe.ts';
import { aManifest, COMPOSE, NOTIFICATIONS, register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Packages } from './views/packages.ts';

const GETH = 'geth.dnp.dappnode.eth';

test('a card shows the package and opens its links and its page', { tag: '@hosts' }, async ({ page, bridge }) => {
  await register(bridge);
  const packages = new Packages(page);
  await packages.open();
  const card = packages.card(GETH);
  await expect(card).toContainText('0.1.0, upstream v1.17.4');
  await expect(card).toContainText('The Go client of the Ethereum network');
  await expect(card).toContainText('Blockchain');
  await expect(card.getByRole('link', { name: 'UI' })).toHaveAttribute('href', 'http://geth.dappnode');
  const homepage = card.getByRole('link', { name: 'Homepage' });
  await expect(homepage).toHaveAttribute('target', '_blank');
  await expect(homepage).toHaveAttribute('rel', 'noopener noreferrer');
  await card.click({ position: { x: 150, y: 90 } });
  await expect(page).toHaveURL(new RegExp(`/packages/${GETH}$`));
  await expect(packages.frame.title).toHaveText(GETH);
  await expect(packages.frame.breadcrumbs).toHaveText(`HomeNodebellPackages${GETH}`);
});

test('an empty list explains how to add a package', async ({ page }) => {
  const packages = new Packages(page);
  await packages.open();
  await expect(page.getByText('No packages registered')).toBeVisible();
  await expect(page.getByText('provisioning/nodebell')).toBeVisible();
  await page.getByRole('link', { name: 'Add package' }).first().click();
  await expect(packages.step()).toHaveText(/Manifest/);
});

test('search and filters narrow the list and are kept in the URL', async ({ page, bridge }) => {
  await register(bridge);
  await register(bridge, { name: 'monero.dnp.dappnode.eth', categories: ['Payment'], keywords: ['private'] });
  const packages = new Packages(page);
  await packages.open();
  await expect(packages.cards).toHaveCount(2);
  await packages.search.fill('private');
  await expect(packages.cards).toHaveCount(1);
  await expect(page.getByText('1 of 2 packages')).toBeVisible();
  await expect(page).toHaveURL(/q=private/);
  await packages.search.fill('nothing of the kind');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(packages.cards).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: /Payment/ }).click();
  await expect(packages.cards).toHaveCount(1);
  await expect(page).toHaveURL(/category=Payment/);
});

test('the list updates live', async ({ page, bridge }) => {
  const packages = new Packages(page);
  await packages.open();
  await register(bridge);
  await expect(packages.card(GETH)).toBeVisible();
  await bridge.call('PUT', `/api/v1/packages/${GETH}`, { manifest: aManifest({ version: '0.2.0' }) });
  await expect(packages.card(GETH)).toContainText('0.2.0');
  await bridge.call('DELETE', `/api/v1/packages/${GETH}`);
  await expect(page.getByText('No packages registered')).toBeVisible();
});

test('a style is applied if readable and never loads resources', async ({ page, bridge }) => {
  const gradient = 'linear-gradient(67deg, #000, #12372f)';
  await register(bridge, { style: { featuredBackground: gradient, featuredColor: 'white' } });
  await register(bridge, {
    name: 'loud.dnp.dappnode.eth',
    style: { featuredBackground: 'linear-gradient(white, black)', featuredColor: 'white' },
  });
  await register(bridge, {
    name: 'spy.dnp.dappnode.eth',
    style: { featuredBackground: 'url(https://track.example/pixel.png)' },
  });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const packages = new Packages(page);
  await packages.open();
  const header = (name: string) => packages.card(name).locator('> div').first();
  await expect(header(GETH)).toHaveCSS('background-image', /gradient/);
  await expect(header('loud.dnp.dappnode.eth')).toHaveCSS('background-image', 'none');
  await expect(header('spy.dnp.dappnode.eth')).toHaveCSS('background-image', 'none');
  expect(requested.filter((url) => url.includes('track.example'))).toEqual([]);
});

test('a malicious manifest has no effect', async ({ page, bridge }) => {
  await register(bridge, {
    description:
      '<script>window.harmed = 1</script><img src=x onerror="window.harmed = 1"> \n\n[click](javascript:alert(1)) **bold**',
    shortDescription: '<b onmouseover="window.harmed = 1">short</b> words that are about eight',
    warnings: { onRemove: '<iframe src="javascript:window.harmed = 1"></iframe> Mind this.' },
  });
  const packages = new Packages(page);
  await packages.openPackage(GETH);
  await expect(page.getByText('bold', { exact: true })).toBeVisible();
  await expect(page.locator('main script, main iframe, main [onerror], main a[href^="javascript"]')).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { harmed?: number }).harmed)).toBeUndefined();
});

test(
  'the package page shows details, links, dependencies, warnings and backup',
  { tag: '@hosts' },
  async ({ page, bridge }) => {
    await register(bridge, { name: 'dms.dnp.dappnode.eth', version: '0.2.0' });
    await register(
      bridge,
      {
        dockerTimeout: '20min',
        dependencies: { 'dms.dnp.dappnode.eth': '^0.2.0', 'missing.dnp.dappnode.eth': 'latest' },
        backup: [{ name: 'keys', path: '/data/keys', service: 'geth' }],
        exposable: [{ name: 'RPC', description: 'Queries', serviceName: 'geth', port: 8545, fromSubdomain: 'geth' }],
        warnings: { onMajorUpdate: 'It **migrates** first.', onReset: 'All **keys** are lost.' },
        architectures: ['linux/amd64', 'linux/arm64'],
      },
      { compose: COMPOSE, notifications: NOTIFICATIONS }
    );
    await bridge.send({ dnpName: GETH, title: 'Geth has 2 peers', correlationId: 'geth-peers', status: 'triggered' });
    const packages = new Packages(page);
    await packages.openPackage(GETH);
    const facts = page.getByRole('complementary', { name: 'Details' });
    await expect(facts).toContainText('linux/amd64, linux/arm64');
    await expect(facts).toContainText('20 min');
    await expect(facts).toContainText('address: geth.dappnode');
    await expect(facts.getByRole('link', { name: 'Geth has 2 peers' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open UI' })).toBeVisible();
    await expect(page.getByText('/data/keys')).toBeVisible();
    await expect(page.getByText('port 8545')).toBeVisible();
    await expect(page.getByText('Before a major update')).toBeVisible();
    await expect(page.getByText('Before reset')).toBeVisible();
    await expect(page.getByText('All keys are lost.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Dependencies' })).toContainText(
      'missing.dnp.dappnode.ethlatestNot registered'
    );
    await page.getByRole('button', { name: 'Dependencies of dms.dnp.dappnode.eth' }).click();
    await expect(page.getByText('no dependencies')).toBeVisible();

    await packages.tab('Notifications').click();
    await expect(page.getByRole('list', { name: 'Endpoints' })).toContainText('Geth has few peers');
    await expect(page.getByText('[BODY].peers >= 10')).toBeVisible();
    await packages.tab('Changelog').click();
    await expect(page.getByText('No release notes for')).toBeVisible();
    await page.getByRole('region', { name: 'Dependencies' }).waitFor({ state: 'detached' });
    await page.goBack();
  }
);

test('a missing package shows an error', async ({ page }) => {
  const packages = new Packages(page);
  await packages.openPackage('nobody.dnp.dappnode.eth');
  await expect(page.getByText('Package not found')).toBeVisible();
  await page.getByRole('link', { name: 'All packages' }).click();
  await expect(packages.frame.title).toHaveText('Packages');
});

test('removing a package shows the author’s warning', { tag: '@hosts' }, async ({ page, bridge }) => {
  await register(bridge, { warnings: { onRemove: 'Your keys are **lost** with it.' } });
  const packages = new Packages(page);
  await packages.openPackage(GETH);
  const more = page.getByRole('button', { name: 'More actions' });
  await more.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Remove…' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Your keys are lost with it.');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(more).toBeFocused();
  expect(await bridge.call('GET', `/api/v1/packages/${GETH}`)).toMatchObject({ dnpName: GETH });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page).toHaveURL(/\/packages$/);
  await expect(page.getByText('No packages registered')).toBeVisible();
});

test('a viewer can read but not change packages', async ({ page, bridge }) => {
  await register(bridge, { backup: [{ name: 'keys', path: '/keys', service: 'geth' }] }, { compose: COMPOSE });
  const packages = new Packages(page);
  await packages.open('', { role: 'Viewer' });
  await expect(packages.card(GETH)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add package' })).toHaveCount(0);
  await packages
    .card(GETH)
    .getByRole('button', { name: /^Actions/ })
    .click();
  await expect(page.getByRole('menuitem', { name: /Remove/ })).toHaveCount(0);
  await packages.openPackage(GETH);
  await expect(page.getByRole('link', { name: 'Update' })).toHaveCount(0);
  await packages.frame.open('packages/add');
  await expect(page.getByText('Only editors and admins can add packages')).toBeVisible();
});

test('the list is kept while the bridge is down and recovers automatically', async ({ page, bridge }) => {
  await register(bridge);
  const packages = new Packages(page);
  await packages.open();
  await bridge.stop();
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeVisible();
  await expect(packages.card(GETH)).toBeVisible();
  await bridge.start();
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeHidden();
});

test('dashboards: an error is shown if the host does not support them', async ({ page, bridge }) => {
  await register(bridge);
  const packages = new Packages(page);
  await packages.openPackage(GETH);
  await page.getByRole('button', { name: /^Dashboard/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Not in Grafana yet');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('alert')).toContainText('does not run in a Grafana that stores dashboards');
});

for (const theme of ['dark', 'light'] as const) {
  test(`list and page are accessible, ${theme}`, async ({ page, bridge }) => {
    await register(
      bridge,
      {
        style: { featuredBackground: 'linear-gradient(67deg, #000, #12372f)', featuredColor: 'white' },
        dependencies: { 'missing.dnp.dappnode.eth': 'latest' },
        backup: [{ name: 'keys', path: '/keys', service: 'geth' }],
        warnings: { onRemove: 'Mind this.' },
      },
      { compose: COMPOSE, notifications: NOTIFICATIONS }
    );
    const packages = new Packages(page);
    await packages.open('', { theme });
    await expect(packages.card(GETH)).toBeVisible();
    await expectAccessible(page);
    await packages.openPackage(GETH);
    await expect(page.getByText('Mind this.')).toBeVisible();
    await expectAccessible(page);
    await packages.tab('Notifications').click();
    await expectAccessible(page);
    await packages.tab('Findings').click();
    await expect(packages.source).toBeVisible();
    await expectAccessible(page);
  });
}

test('in the inbox a sender has its package’s icon and links to the package', async ({ page, bridge }) => {
  // The bridge has no way to that host here, so a letter is shown. What is served is in images.spec.ts.
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await register(bridge, { icon: 'https://icons.example/geth.png' });
  const { id } = await bridge.send({ dnpName: GETH, title: 'Geth has 2 peers' });
  await bridge.send({ dnpName: 'nobody.dnp.dappnode.eth', title: 'From nobody' });
  const packages = new Packages(page);
  // A page that is left while the icon is loading cancels the request.
  const loaded = page.waitForResponse((response) => response.url().endsWith(`/packages/${GETH}/icon`));
  await packages.frame.open(`inbox?id=${id}`);
  await loaded;
  await page.locator('[data-detail]').getByRole('link', { name: GETH }).click();
  await expect(page).toHaveURL(new RegExp(`/packages/${GETH}$`));
  await expect.poll(() => requested.filter((url) => url.endsWith(`/packages/${GETH}/icon`))).toHaveLength(1);
  expect(requested.filter((url) => url.includes('icons.example'))).toEqual([]);
});
