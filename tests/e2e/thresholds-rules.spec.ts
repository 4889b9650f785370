import type { Page } from '@playwright/test';
import { type SeededRule, SEED_PATH } from '../../standalone/server/grafanaRules.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const rule = (uid: string, rest: Partial<SeededRule> = {}): SeededRule => ({
  uid,
  title: `Rule ${uid}`,
  folder: 'Nodes',
  group: 'memory',
  params: [80],
  for: '0s',
  ...rest,
});

const seed = async (page: Page, rules: readonly SeededRule[]) =>
  expect(await page.request.post(SEED_PATH, { data: { rules } })).toBeOK();

const row = (page: Page, uid: string) => page.locator(`[data-rule="${uid}"]`);

test('a threshold by keyboard: previewed, saved, and live in a second tab', async ({ page, frame, context }) => {
  await seed(page, [rule('cpu', { recovery: { type: 'lt', params: [60] } }), rule('disk', { provenance: 'file' })]);
  await frame.open('thresholds?tab=rules');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(row(other, 'cpu')).toContainText('Alerts above 80, recovers below 60');

  await page.getByRole('button', { name: 'Rule cpu' }).press('Enter');
  const slider = row(page, 'cpu').getByRole('slider', { name: 'Threshold for Rule cpu', exact: true });
  await slider.press('ArrowRight');
  await expect(row(page, 'cpu')).toContainText('Times it would have fired in the last 7 days');
  await expectAccessible(page);
  await row(page, 'cpu').getByRole('button', { name: 'Save' }).press('Enter');
  await expect(row(page, 'cpu')).toContainText('Saved in Grafana.');
  await expect(row(other, 'cpu')).toContainText('Alerts above 81, recovers below 60');
  expect(await frame.overflow()).toBe(0);
});

test('1,000 rules scroll as 10 do', async ({ page, frame }) => {
  const folders = Array.from({ length: 20 }, (_, i) => `Folder ${String(i).padStart(2, '0')}`);
  const rules = folders.flatMap((folder, i) => Array.from({ length: 50 }, (_, j) => rule(`r-${i}-${j}`, { folder })));
  await seed(page, rules);
  await frame.open('thresholds?tab=rules');
  await expect(page.getByText('1,000 rules')).toBeVisible();
  const rendered = page.locator('[data-rule]');
  expect(await rendered.count()).toBeLessThan(60);
  await page.getByRole('button', { name: 'Rule r-0-1', exact: true }).click();
  await expect(row(page, 'r-0-1').getByRole('slider')).toBeVisible();
  // The history of the open row may still be loading: as it appears, the list becomes longer.
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(row(page, 'r-19-49')).toBeInViewport({ timeout: 1000 });
  }).toPass();
  expect(await rendered.count()).toBeLessThan(60);
  await page.keyboard.press('Home');
  await expect(row(page, 'r-0-1').getByRole('slider')).toBeInViewport();
});
