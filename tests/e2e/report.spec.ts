import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { fire } from './support/alerts.ts';
import { expectAccessible } from './support/axe.ts';
import type { TestBridge } from './support/bridge.ts';
import { expect, test } from './support/test.ts';

const firing = (rule: string, fingerprint: string, change: object = {}) => ({
  fingerprint,
  labels: { alertname: rule, grafana_folder: 'Nodes', package: 'geth.dnp' },
  annotations: { summary: `${rule} on node-1` },
  ...change,
});

/** Alerts of two rules, and a package that sends on its own. */
async function makeNoise(bridge: TestBridge): Promise<void> {
  for (const fingerprint of ['a', 'b', 'c']) {
    await fire(bridge, firing('Disk full', fingerprint));
  }
  await fire(bridge, firing('Disk full', 'a', { status: 'resolved', endsAt: new Date().toISOString() }));
  await fire(bridge, firing('Few peers', 'd'));
  await bridge.send({ title: 'Update available', dnpName: 'monero.dnp', category: 'system' });
}

const table = (page: Page) => page.getByRole('table', { name: 'Noisiest alerts' });
const rows = (page: Page) => table(page).getByRole('rowheader');
const menuOf = (page: Page, name: string) => page.getByRole('button', { name: `Actions: ${name}` });

test('what made noise is found, grouped, downloaded and acted on', async ({ page, frame, ownBridge: bridge }) => {
  await makeNoise(bridge);
  await frame.open('inbox');
  await frame.menu.getByRole('link', { name: 'Report' }).click();
  await expect(frame.title).toHaveText('Report');
  await expect(rows(page)).toHaveText([/^Disk full.*geth/, /^(Few peers|monero)/, /^(Few peers|monero)/]);
  const first = table(page).getByRole('row').nth(1);
  await expect(first.getByRole('cell', { name: '1 of 1' })).toBeVisible();

  await page.getByRole('radio', { name: 'Package' }).check({ force: true });
  await expect(rows(page)).toHaveText([/^geth/, /^monero/]);
  await table(page).getByRole('button', { name: 'Open now' }).click();
  await expect(page).toHaveURL(/by=package&sort=open$/);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv.trim().split(/\r?\n/)).toHaveLength(3);

  await page.getByRole('radio', { name: 'Category' }).check({ force: true });
  await menuOf(page, 'System').click();
  await page.getByRole('menuitem', { name: 'Mute the category System' }).click();
  await expect(table(page).getByText('Category muted')).toBeVisible();
  expect(await bridge.call('GET', '/api/v1/categories')).toContainEqual(
    expect.objectContaining({ category: 'system', enabled: false })
  );
});

test('a rule is silenced from the report', async ({ page, frame, ownBridge: bridge }) => {
  await makeNoise(bridge);
  await frame.open('report');
  await menuOf(page, 'Disk full').click();
  await page.getByRole('menuitem', { name: /^Silence/ }).click();
  await expect(page).toHaveURL(/\/inbox\?id=\d+&silence=rule$/);
  const dialog = page.getByRole('dialog', { name: 'Silence at the source' });
  // There is no Grafana around this page, and the bridge has no service account: it says so.
  await expect(dialog.getByText('This alert cannot be silenced from here')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/inbox\?id=\d+$/);
});

test('says that nothing arrived', async ({ page, frame, ownBridge: _ }) => {
  await frame.open('report');
  await expect(page.getByText('Nothing arrived in this time')).toBeVisible();
  await expectAccessible(page);
});
