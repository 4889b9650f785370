import { expectAccessible } from './support/axe.ts';
import { aManifest, COMPOSE, NOTIFICATIONS, register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Packages } from './views/packages.ts';

const GETH = 'geth.dnp.dappnode.eth';
const DEMANDING = aManifest({
  warnings: { onInstall: 'It needs **1 TB**.' },
  disclaimer: { message: 'This software is *experimental*.' },
});

const textFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

test('dropped files are detected by kind', async ({ page }) => {
  const packages = new Packages(page);
  await packages.frame.open('packages/add');
  const drop = async (files: { name: string; text: string }[]) => {
    const dataTransfer = await page.evaluateHandle((given) => {
      const transfer = new DataTransfer();
      for (const { name, text } of given) {
        transfer.items.add(new File([text], name));
      }
      return transfer;
    }, files);
    await packages.manifest.dispatchEvent('dragover', { dataTransfer });
    await packages.manifest.dispatchEvent('drop', { dataTransfer });
  };
  await drop([]);
  await expect(packages.manifest).toHaveValue('');
  await drop([
    { name: 'docker-compose.yml', text: COMPOSE },
    { name: 'dappnode_package.json', text: DEMANDING },
  ]);
  await expect(packages.manifest).toHaveValue(DEMANDING);
  await expect(page.getByText('docker-compose.yml, 4 lines')).toBeVisible();
  await drop([{ name: 'dappnode_package.json', text: 'x'.repeat(2_000_000) }]);
  await expect(page.getByText(/^dappnode_package\.json is too long/)).toBeVisible();
  await expect(packages.manifest).toHaveValue(DEMANDING);
  await packages.button('Validate').click();
  await expect(packages.step()).toHaveText(/Findings/);
});

test('registers a package through every step', { tag: '@hosts' }, async ({ page, bridge }) => {
  const packages = new Packages(page);
  await packages.frame.open('packages/add');
  await expect(packages.reason).toHaveText('Add a manifest to continue');
  await expect(packages.button('Validate')).toBeDisabled();
  await page
    .locator('input[type=file]')
    .setInputFiles([
      textFile('dappnode_package.json', DEMANDING),
      textFile('docker-compose.yml', COMPOSE),
      textFile('notifications.yaml', NOTIFICATIONS),
    ]);
  await expect(packages.manifest).toHaveValue(DEMANDING);
  await expect(page.getByText('docker-compose.yml, 4 lines')).toBeVisible();
  await packages.button('Validate').click();

  await expect(packages.step()).toHaveText(/Findings/);
  await packages.button('Continue').click();
  await expect(packages.step()).toHaveText(/Warnings/);
  await expect(page.getByText('It needs 1 TB.')).toBeVisible();
  await packages.button('Continue').click();
  await expect(packages.step()).toHaveText(/Disclaimer/);
  await expect(packages.reason).toHaveText('Accept the disclaimer to continue');
  await expect(page.getByText(/^Accepted by admin/)).toBeVisible();
  await page.getByRole('checkbox').check({ force: true });
  await packages.button('Accept and continue').click();
  await expect(packages.step()).toHaveText(/Notifications/);
  await expect(page.getByText('Geth has few peers')).toBeVisible();
  await packages.button('Continue').click();
  await expect(page.getByText('New package, version 0.1.0.')).toBeVisible();
  await packages.button('Register').click();

  await expect(page).toHaveURL(new RegExp(`/packages/${GETH}$`));
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('0.1.0 accepted by admin');
  expect(await bridge.call('GET', `/api/v1/packages/${GETH}`)).toMatchObject({
    registeredBy: 'admin',
    approval: { text: 'This software is *experimental*.', by: 'admin' },
  });
});

test('errors link to their lines and can be fixed in place', { tag: '@hosts' }, async ({ page }) => {
  const packages = new Packages(page);
  await packages.frame.open('packages/add');
  await packages.manifest.fill(aManifest({ version: '0.1.0-beta', shortDescription: 'Too short' }));
  await packages.button('Validate').click();
  await expect(packages.reason).toHaveText('Fix 1 error to continue');
  await expect(packages.button('Continue')).toBeDisabled();

  const error = packages.findings.first();
  await expect(error).toContainText('line 3');
  await error.click();
  await expect(error).toHaveAttribute('aria-current', 'true');
  await expect(packages.line(3)).toBeInViewport();
  await packages.line(6).getByRole('button').click();
  await expect(packages.findings.filter({ hasText: 'line 6' })).toHaveAttribute('aria-current', 'true');
  await expect(error).not.toHaveAttribute('aria-current');

  await page.getByRole('button', { name: /^\d+ errors?/ }).click();
  await expect(packages.findings.filter({ hasText: 'line 3' })).toHaveCount(0);
  await packages.line(3).getByRole('button').click();
  await expect(packages.findings.filter({ hasText: 'line 3' })).toBeVisible();

  await packages.button(/^Edit$/).click();
  await page.getByRole('textbox', { name: 'Source of dappnode_package.json' }).fill(aManifest());
  await packages.button('Validate again').click();
  await expect(packages.button('Continue')).toBeEnabled();
  await expect(packages.reason).toBeEmpty();
});

test('a JSON syntax error has a line number', async ({ page }) => {
  const packages = new Packages(page);
  await packages.frame.open('packages/add');
  await packages.manifest.fill('{\n  "name": "a.dnp.dappnode.eth"\n  "version": "0.1.0"\n}\n');
  await packages.button('Validate').click();
  await expect(packages.reason).toHaveText(/^Fix \d+ errors? to continue$/);
  await expect(packages.findings.filter({ hasText: 'comma' })).toContainText(/line [23]/);
});

test('an update shows its change; a downgrade requires confirmation', async ({ page, bridge }) => {
  await register(bridge, { version: '0.2.0' });
  const packages = new Packages(page);
  await packages.openPackage(GETH);
  await page.getByRole('link', { name: 'Update' }).click();
  await expect(packages.frame.title).toHaveText('Update package');

  await packages.manifest.fill(aManifest({ name: 'other.dnp.dappnode.eth', version: '0.3.0' }));
  await packages.button('Validate').click();
  await expect(packages.reason).toHaveText(
    `Wrong package: the manifest is for other.dnp.dappnode.eth, but ${GETH} is being updated`
  );
  await packages.button('Back').click();

  await packages.manifest.fill(aManifest({ version: '0.1.0' }));
  await packages.button('Validate').click();
  await packages.button('Continue').click();
  await expect(page.getByText('Downgrade from 0.2.0 to 0.1.0.')).toBeVisible();
  await expect(packages.reason).toHaveText('Confirm to continue');
  await page.getByRole('checkbox').check({ force: true });
  await packages.button('Register').click();
  await expect(page).toHaveURL(new RegExp(`/packages/${GETH}$`));
  await expect(page.getByText('0.1.0, upstream v1.17.4')).toBeVisible();
});

test('a URL in a private network is rejected', async ({ page, bridge }) => {
  const packages = new Packages(page);
  await packages.frame.open('packages/add');
  await page.getByRole('textbox', { name: /fetch from a URL/ }).fill(`${bridge.url}/healthz`);
  await packages.button('Fetch').click();
  await expect(page.getByRole('alert').first()).toContainText(/127\.0\.0\.1|address/);
  await expect(packages.manifest).toHaveValue('');
});

test('the wizard works with the keyboard alone', async ({ page }) => {
  const packages = new Packages(page);
  await packages.frame.open('packages/add');
  await packages.manifest.focus();
  await page.keyboard.insertText(DEMANDING);
  const go = async (name: RegExp) => {
    for (let tries = 0; tries < 60; tries++) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.count()) > 0 && name.test((await focused.textContent()) ?? '')) {
        return;
      }
    }
    throw new Error(`Tab never came to ${name.source}`);
  };
  await expect(packages.button('Validate')).toBeEnabled();
  await go(/^Validate$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Review the findings' })).toBeFocused();
  await expect(packages.button('Continue')).toBeEnabled();
  await go(/^Continue$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Review the warnings' })).toBeFocused();
  await expect(packages.button('Continue')).toBeEnabled();
  await go(/^Continue$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Accept the disclaimer' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('checkbox')).toBeChecked();
  await expect(packages.button('Accept and continue')).toBeEnabled();
  await go(/^Accept and continue$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Register the package' })).toBeFocused();
  await expect(packages.button('Register')).toBeEnabled();
  await go(/^Register$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/packages/${GETH}$`));
});

for (const theme of ['dark', 'light'] as const) {
  test(`every step is accessible, ${theme}`, async ({ page }) => {
    const packages = new Packages(page);
    await packages.frame.open('packages/add', { theme });
    await expectAccessible(page);
    await page
      .locator('input[type=file]')
      .setInputFiles([textFile('dappnode_package.json', DEMANDING), textFile('notifications.yaml', NOTIFICATIONS)]);
    await packages.button('Validate').click();
    await expect(packages.source).toBeVisible();
    await expectAccessible(page);
    await packages.button('Continue').click();
    await expect(page.getByText('It needs 1 TB.')).toBeVisible();
    await expectAccessible(page);
    await packages.button('Continue').click();
    await page.getByRole('checkbox').check({ force: true });
    await expectAccessible(page);
    await packages.button('Accept and continue').click();
    await expect(page.getByText('Geth has few peers')).toBeVisible();
    await expectAccessible(page);
    await packages.button('Continue').click();
    await expect(packages.button('Register')).toBeVisible();
    await expectAccessible(page);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('nothing overflows, even with long names', async ({ page, bridge }) => {
    const long = `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.dnp.dappnode.eth`;
    await register(bridge, {
      name: long,
      shortDescription: '🦄 שלום עולם and a long long long long word',
      upstreamVersion: 'v'.repeat(300),
      categories: ['c'.repeat(120)],
      links: Object.fromEntries(['ui', 'homepage', 'r'.repeat(200)].map((key) => [key, `https://x.example/${key}`])),
    });
    const packages = new Packages(page);
    await packages.open();
    await expect(packages.card(long)).toBeVisible();
    await expect.poll(() => packages.frame.overflow()).toBeLessThanOrEqual(0);
    await packages.openPackage(long);
    await expect.poll(() => packages.frame.overflow()).toBeLessThanOrEqual(0);
    await packages.openPackage(long, 'tab=findings');
    await expect(packages.tab('Findings')).toBeInViewport();
    await packages.findings.first().click();
    await expect(packages.source).toBeInViewport();
    await expect.poll(() => packages.frame.overflow()).toBeLessThanOrEqual(0);
    await packages.frame.open('packages/add');
    await expect.poll(() => packages.frame.overflow()).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });
});
