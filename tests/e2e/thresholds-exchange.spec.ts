/** Change log, export and import of settings. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { expectAccessible } from './support/axe.ts';
import { TestBridge } from './support/bridge.ts';
import { DMS, keptOf, registerDms } from './support/endpoints.ts';
import { expect, test } from './support/test.ts';
import { Thresholds } from './views/thresholds.ts';

const set = (threshold: number) => ({
  apiVersion: 1,
  packages: { [DMS]: { endpoints: { 'dms-cpu': { threshold } } } },
});

/** A bridge with an empty change log, which is kept as long as a bridge runs. */
const freshTest = test.extend<{ fresh: TestBridge }>({
  fresh: async ({ console: { settings } }, use) => {
    const bridge = await TestBridge.start();
    settings.jsonData = { bridgeUrl: bridge.url };
    settings.secureJsonData = { bridgeToken: bridge.token };
    await use(bridge);
    await bridge.dispose();
  },
});

freshTest('the change log, newest first', async ({ page, fresh: bridge }) => {
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await page.getByRole('button', { name: 'Changes', exact: true }).click();
  const changes = page.getByRole('dialog', { name: 'Changes' });
  await expect(changes).toContainText('No changes yet');
  await changes.getByRole('button', { name: 'Close' }).click();

  await thresholds.slider('dms-cpu').fill('60');
  await thresholds.slider('dms-cpu').blur();
  await expect.poll(async () => (await keptOf(bridge, 'dms-cpu'))?.threshold?.value).toBe(60);
  await thresholds.switchOf('dms-load').setChecked(false, { force: true });
  await expect.poll(async () => (await keptOf(bridge, 'dms-load'))?.enabled.value).toBe(false);
  await page.getByRole('button', { name: 'Changes', exact: true }).click();
  const rows = changes.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText(`dms-load of ${DMS}`);
  await expect(rows.nth(0)).toContainText('Notifications: default → off');
  await expect(rows.nth(1)).toContainText('Threshold: default → 60');
  await expect(rows.nth(1)).toContainText('admin');
  await expectAccessible(page);
});

test('exported as YAML, and imported again after a preview', async ({ page, bridge }) => {
  await registerDms(bridge);
  await bridge.call('PATCH', `/api/v1/packages/${DMS}/endpoints/dms-cpu`, { threshold: 60 });
  const thresholds = new Thresholds(page);
  await thresholds.open();
  const downloading = page.waitForEvent('download');
  await thresholds.choose('Export settings');
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('nodebell-settings.yaml');
  const text = await readFile(await file.path(), 'utf8');
  expect(parse(text)).toMatchObject(set(60));

  await thresholds.choose('Import settings…');
  const dialog = page.getByRole('dialog', { name: 'Import settings' });
  await dialog.getByLabel('Settings file').setInputFiles({
    name: 'nodebell-settings.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(text.replace('60', '400')),
  });
  await expect(dialog.getByRole('textbox')).toHaveValue(/400/);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('status')).toContainText('1 value is out of range and left out:');
  await expect(dialog.getByRole('button', { name: 'Import' })).toHaveCount(0);
  await expectAccessible(page);

  const mixed = {
    apiVersion: 1,
    packages: { [DMS]: { endpoints: { 'dms-cpu': { threshold: -1 }, 'dms-load': { threshold: 9, enabled: false } } } },
  };
  await dialog.getByRole('textbox').fill(JSON.stringify(mixed));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('status')).toContainText('1 value would change');
  await expect(dialog.getByRole('status').getByRole('listitem')).toHaveText([
    'The threshold of dms-cpu is a number from 0 to 100 %; found -1 %.',
    /^The threshold of dms-load is /,
  ]);

  await dialog.getByRole('textbox').fill('apiVersion: 2');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Import failed');
  await expectAccessible(page);

  await dialog.getByRole('textbox').fill(text.replace('60', '70'));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('1 value would change');
  expect((await keptOf(bridge, 'dms-cpu'))?.threshold?.value).toBe(60);
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog).toContainText('1 value changed');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(thresholds.field('dms-cpu')).toHaveValue('70');
});

test('the text is read-only while it is validated', async ({ page, bridge }) => {
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await thresholds.choose('Import settings…');
  const dialog = page.getByRole('dialog', { name: 'Import settings' });
  const answered = Promise.withResolvers<undefined>();
  await page.route(/\/settings$/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await dialog.getByRole('textbox').fill(JSON.stringify(set(61)));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('textbox')).not.toBeEditable();
  await expect(dialog.getByRole('button', { name: 'Choose a file…' })).toBeDisabled();
  answered.resolve(undefined);
  await expect(dialog.getByRole('button', { name: 'Import' })).toBeVisible();
  await expect(dialog.getByRole('textbox')).toBeEditable();
});

test('Viewers have no such menu, and Editors cannot import', async ({ page, bridge }) => {
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open('', { role: 'Viewer' });
  await expect(thresholds.menu).toHaveCount(0);
  await thresholds.open('', { role: 'Editor' });
  await thresholds.menu.click();
  await expect(page.getByRole('menuitem', { name: 'Export settings' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Import settings…' })).toHaveCount(0);
});
