import type { BrowserContext, Page, Response } from '@playwright/test';
import { pointPage } from './support/alerts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';
import type { Frame } from './support/views/frame.ts';

/** Any page of Grafana that is not one of the app. */
const ELSEWHERE = pointPage('grafana/dashboard/sidebar/v1');
const CRITICAL = { title: 'The node is **down**', body: 'No `block` for 10 minutes.', priority: 'critical' };

// Grafana's messages go after five seconds; a busy machine may look for them later.
test.beforeEach(({ context }) =>
  context.addInitScript(() => {
    const real = window.setTimeout.bind(window);
    const patient = (run: () => void, ms?: number, ...given: []) => real(run, ms === 5000 ? 600_000 : ms, ...given);
    Object.assign(window, { setTimeout: patient });
  })
);

async function openSwitch(page: Page, frame: Frame) {
  await frame.open();
  await page.getByRole('button', { name: 'Inbox actions' }).click();
  await page.getByRole('menuitem', { name: 'Notification channels' }).click();
  return page.getByRole('switch', { name: /^All Grafana pages/ });
}

/** Gives the consent, and goes to another page of Grafana, which hears what happens from when this returns. */
async function consent(page: Page, frame: Frame): Promise<void> {
  const toggle = await openSwitch(page, frame);
  await expect(toggle).not.toBeChecked();
  await toggle.click({ force: true });
  await expect(toggle).toBeChecked();
  // The stream of the page before may not have been missed yet when this one's begins.
  const stream = page.waitForResponse((response) => isStream(response) && response.frame().url().includes('/point/'));
  await goElsewhere(page);
  await stream;
}

const isStream = (response: Response): boolean => response.url().includes('/api/v1/events?');

async function goElsewhere(page: Page): Promise<void> {
  await page.goto(ELSEWHERE);
  await untilLoaded(page);
}

const untilLoaded = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /\/toasts\.js/.test(name)));

const askedOf = (context: BrowserContext): string[] => {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return asked;
};

const idle = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300))));

test('without consent nothing is asked and nothing is loaded', async ({ page, frame, bridge, context }) => {
  const asked = askedOf(context);
  await page.goto(ELSEWHERE);
  await expect(page.getByRole('button', { name: 'Inbox', exact: true })).toBeVisible();
  await idle(page);
  await bridge.send(CRITICAL);
  await idle(page);
  const ours = asked.filter((path) => path.includes('nodebell-notifications-app'));
  expect(ours.filter((path) => path.includes('/plugin-proxy/'))).toEqual([]);
  expect(ours.filter((path) => path.endsWith('.js'))).toEqual(['/public/plugins/nodebell-notifications-app/module.js']);
  await expect(frame.toasts).toHaveCount(0);
});

test(
  'with consent, new critical notifications are told on any page, and lead to the inbox',
  { tag: '@hosts' },
  async ({ page, frame, bridge }) => {
    await consent(page, frame);
    await expect.poll(() => bridge.streams()).toBe(1);
    await bridge.send({ title: 'Not critical', priority: 'high' });
    await bridge.send({ title: 'An end', priority: 'critical', status: 'resolved', correlationId: 'x' });
    const { id } = await bridge.send(CRITICAL);
    await expect(frame.toasts).toHaveCount(1);
    await expect(frame.toasts).toContainText('Critical: The node is **down**');
    await expect(frame.toasts).toContainText('unknown sender: No block for 10 minutes.');
    await frame.toasts.getByRole('link', { name: 'Open in the inbox' }).click();
    await expect(page).toHaveURL(new RegExp(`/inbox\\?id=${id}$`));
  }
);

test('the consent is asked for where it is said where notifications go', { tag: '@hosts' }, async ({ page, frame }) => {
  const toggle = await openSwitch(page, frame);
  await expect(toggle).not.toBeChecked();
  await expect(page.getByRole('dialog')).toContainText('Show new critical notifications on every Grafana page');
  await expectAccessible(page);
});

test('many at once are told as one', async ({ page, frame, bridge }) => {
  await consent(page, frame);
  await expect.poll(() => bridge.streams()).toBe(1);
  await bridge.sendAll([1, 2, 3, 4, 5].map((n) => ({ ...CRITICAL, title: `Down ${n}` })));
  await expect(frame.toasts).toHaveCount(1);
  await expect(frame.toasts).toContainText('5 new critical notifications');
});

test('the inbox itself needs no messages', async ({ page, frame, bridge }) => {
  await consent(page, frame);
  await frame.open();
  await expect.poll(() => bridge.streams()).toBe(1);
  await bridge.send(CRITICAL);
  await expect(page).toHaveTitle(/^\(1\)/);
  await page.waitForTimeout(1500);
  await expect(frame.toasts).toHaveCount(0);
});

test('of several tabs one tells, by one stream', async ({ page, frame, bridge, context }) => {
  await consent(page, frame);
  const second = await context.newPage();
  await goElsewhere(second);
  await expect.poll(() => bridge.streams()).toBe(1);
  const heard = [page, second].map((tab) => tab.getByTestId('toasts').getByRole('alert'));
  const counts = () => Promise.all(heard.map((alerts) => alerts.count()));
  await bridge.send(CRITICAL);
  const sum = async () => (await counts()).reduce((before, n) => before + n);
  await expect.poll(sum).toBe(1);
  await page.waitForTimeout(1500);
  expect(await sum()).toBe(1);
});

test('begins in tabs that were open before, again and again, also when the one that switched it on is closed', async ({
  page,
  frame,
  bridge,
  context,
}) => {
  const second = await context.newPage();
  await second.goto(ELSEWHERE);
  await idle(second);
  const toggle = await openSwitch(page, frame);
  for (const checked of [true, false, true]) {
    await toggle.click({ force: true });
    await expect(toggle).toBeChecked({ checked });
    await untilLoaded(second);
    await idle(second);
  }
  const stream = second.waitForResponse(/\/api\/v1\/events\?(.*&)?targetOrgId=1$/);
  await page.close();
  expect((await stream).status()).toBe(200);
  await bridge.send(CRITICAL);
  await expect(second.getByTestId('toasts').getByRole('alert')).toHaveCount(1);
});

test('ends when it is switched off, in all tabs', async ({ page, frame, bridge, context }) => {
  await consent(page, frame);
  const second = await context.newPage();
  await goElsewhere(second);
  const toggle = await openSwitch(page, frame);
  await toggle.click({ force: true });
  await expect(toggle).not.toBeChecked();
  await page.goto('about:blank');
  await expect.poll(() => bridge.streams()).toBe(0);
  await bridge.send(CRITICAL);
  await second.waitForTimeout(1500);
  await expect(second.getByTestId('toasts').getByRole('alert')).toHaveCount(0);
});

test('is quiet when the session has ended', async ({ page, frame, bridge, context }) => {
  await consent(page, frame);
  await expect.poll(() => bridge.streams()).toBe(1);
  const refused: string[] = [];
  await context.route(/\/api\/plugin-proxy\//, (route) => {
    refused.push(new URL(route.request().url()).pathname);
    return route.fulfill({ status: 401, json: { message: 'Unauthorized' } });
  });
  await goElsewhere(page);
  await expect.poll(() => refused.length).toBeGreaterThan(0);
  await page.waitForTimeout(1500);
  expect(refused.filter((path) => !path.endsWith('/events'))).toEqual([]);
  await expect(frame.toasts).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe('/point/grafana/dashboard/sidebar/v1');
});
