import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expectAccessible } from './support/axe.ts';
import { TestBridge } from './support/bridge.ts';
import { expect, test } from './support/test.ts';

const DAY_MS = 86_400_000;
const local = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 16);
const NAME = 'payments-and-settlement-of-all-subsidiaries-in-europe';
const FILE = `apiVersion: 1
channels: [{ name: hook, type: webhook, url: 'https://example.org/' }]
people: [{ login: admin, channels: [hook] }, { login: 'zoë 🦊', channels: [hook] }]
schedules:
  - { name: database, zone: Asia/Tokyo, rotations: [{ people: [admin], every: 1w, from: '2026-01-05T09:00', to: '${local(9)}' }] }
  - { name: ${NAME}, rotations: [{ people: ['zoë 🦊'], every: 12h, from: '2026-01-05T09:00', hours: [{ from: '09:00', to: '17:00' }] }] }`;

test('@hosts an override by keyboard, from the inbox, also on a phone', async ({
  page,
  frame,
  console: { settings },
}) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'nodebell-on-call-'));
  writeFileSync(path.join(dir, 'calls.yaml'), FILE);
  const bridge = await TestBridge.start({ NODEBELL_PROVISIONING_DIR: dir });
  settings.jsonData = { bridgeUrl: bridge.url };
  settings.secureJsonData = { bridgeToken: bridge.token };
  await frame.open('inbox');
  await page.getByRole('link', { name: /^You are on call: database, until / }).click();
  await expect(frame.title).toHaveText('On call');
  const card = page.getByRole('listitem', { name: 'database', exact: true });
  await expect(card.getByText('Times in Asia/Tokyo')).toBeVisible();
  await expect(card.getByText(/Nobody on call from/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add override for database' }).press('Enter');
  const person = page.getByRole('combobox', { name: /On call/ });
  await person.press('ArrowDown');
  await page.getByRole('option', { name: 'zoë 🦊' }).click();
  await page.getByLabel('Start (Asia/Tokyo)').fill(local(2));
  await page.getByLabel('End (Asia/Tokyo)').fill(local(3));
  await expect(page.getByText('Instead of admin')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  const overrides = card.getByRole('region', { name: 'Overrides' });
  await expect(overrides.getByRole('listitem')).toHaveText([/^zoë 🦊, .*Added by admin/]);
  await card.getByRole('button', { name: /^Shifts of the next two weeks/ }).press('Enter');
  await expect(card.getByText('Override', { exact: true }).first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await frame.open('on-call', { theme: 'light' });
  await expect(overrides).toBeVisible();
  await expectAccessible(page);
  expect(await frame.overflow()).toBe(0);
  await overrides.getByRole('button', { name: /^Delete zoë/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(overrides).toBeHidden();
  await bridge.dispose();
  rmSync(dir, { recursive: true });
});
