import type { BrowserContext, Page, Response } from '@playwright/test';
import { pointPage } from './support/alerts.ts';
import { expectAccessible } from './support/axe.ts';
import { advance, expect, test } from './support/test.ts';
import type { Frame } from './support/views/frame.ts';

/** Any page of Grafana that is not one of the app. */
const ELSEWHERE = pointPage('grafana/dashboard/sidebar/v1');
const CRITICAL = { title: 'The node is **down**', body: 'No `block` for 10 minutes.', priority: 'critical' };

/** Grafana's toasts expire after five seconds; a busy machine may be slower. */
const keepToasts = (context: BrowserContext) =>
  context.addInitScript(() => {
    const real = window.setTimeout.bind(window);
    const patient = (run: () => void, ms?: number, ...given: []) => real(run, ms === 5000 ? 600_000 : ms, ...given);
    Object.assign(window, { setTimeout: patient });
  });

test.beforeEach(({ context }) => keepToasts(context));

async function openSwitch(page: Page, frame: Frame) {
  await frame.open();
  await page.getByRole('button', { name: 'Inbox actions' }).click();
  await page.getByRole('menuitem', { name: 'Notification channels' }).click();
  return page.getByRole('switch', { name: /^All Grafana pages/ });
}

/** Gives consent, and opens another page of Grafana; its event stream is open when this returns. */
async function consent(page: Page, frame: Frame): Promise<void> {
  const toggle = await openSwitch(page, frame);
  await expect(toggle).not.toBeChecked();
  await toggle.click({ force: true });
  await expect(toggle).toBeChecked();
  const stream = page.waitForResponse((response) => isStream(response) && response.frame().url().includes('/point/'));
  await goElsewhere(page);
  await stream;
}

const isStream = (response: Response): boolean => response.url().includes('/api/v1/events?');

async function goElsewhere(page: Page): Promise<void> {
  const loaded = page.waitForResponse(/\/toasts\.js/);
  await page.goto(ELSEWHERE);
  await loaded;
}

const untilLoaded = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /\/toasts\.js/.test(name)));

const pathsOf = (context: BrowserContext): string[] => {
  const paths: string[] = [];
  context.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return paths;
};

/** With an installed clock: waits until a tab that has received a notification has decided whether to show it. */
async function untilDecided(page: Page): Promise<void> {
  await advance(page, 2000);
  await page.evaluate(() => navigator.locks.request('decided', () => undefined));
}

const idle = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300))));

test('without consent nothing is requested or loaded', async ({ page, frame, bridge, context }) => {
  const paths = pathsOf(context);
  await page.goto(ELSEWHERE);
  await expect(page.getByRole('button', { name: 'Inbox', exact: true })).toBeVisible();
  await idle(page);
  await bridge.send(CRITICAL);
  await idle(page);
  const ours = paths.filter((path) => path.includes('nodebell-notifications-app'));
  expect(ours.filter((path) => path.includes('/plugin-proxy/'))).toEqual([]);
  expect(ours.filter((path) => path.endsWith('.js'))).toEqual(['/public/plugins/nodebell-notifications-app/module.js']);
  await expect(frame.toasts).toHaveCount(0);
});

test(
  'with consent, new critical notifications are shown on any page, with a link to the inbox',
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

test('consent is given in the notification channels dialog', async ({ page, frame }) => {
  const toggle = await openSwitch(page, frame);
  await expect(toggle).not.toBeChecked();
  await expect(page.getByRole('dialog')).toContainText('Show new critical notifications on every Grafana page');
  await expectAccessible(page);
});

test('the inbox page shows no toasts', async ({ page, frame, bridge }) => {
  await page.clock.install();
  await consent(page, frame);
  await frame.open();
  await expect.poll(() => bridge.streams()).toBe(1);
  await bridge.send(CRITICAL);
  await expect(page).toHaveTitle(/^\(1\)/);
  await untilDecided(page);
  await expect(frame.toasts).toHaveCount(0);
});

test('of several tabs, which share one stream, one shows the toast', async ({ page, frame, bridge, context }) => {
  await context.clock.install();
  // Again, for the timers of that clock.
  await keepToasts(context);
  await consent(page, frame);
  const second = await context.newPage();
  await goElsewhere(second);
  await expect.poll(() => bridge.streams()).toBe(1);
  const shown = [page, second].map((tab) => tab.getByTestId('toasts').getByRole('alert'));
  const counts = () => Promise.all(shown.map((alerts) => alerts.count()));
  await bridge.send(CRITICAL);
  const sum = async () => (await counts()).reduce((before, n) => before + n);
  await expect.poll(sum).toBe(1);
  await untilDecided(page);
  await untilDecided(second);
  expect(await sum()).toBe(1);
});

test('starts and stops in tabs that are already open, also after the tab with the switch is closed', async ({
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

test('stops in all tabs when switched off', async ({ page, frame, bridge, context }) => {
  await consent(page, frame);
  const second = await context.newPage();
  await context.clock.install();
  await goElsewhere(second);
  const toggle = await openSwitch(page, frame);
  await toggle.click({ force: true });
  await expect(toggle).not.toBeChecked();
  await page.goto('about:blank');
  await expect.poll(() => bridge.streams()).toBe(0);
  await bridge.send(CRITICAL);
  await untilDecided(second);
  await expect(second.getByTestId('toasts').getByRole('alert')).toHaveCount(0);
});

test('sends no requests after the session has expired', async ({ page, frame, bridge, context }) => {
  await consent(page, frame);
  await expect.poll(() => bridge.streams()).toBe(1);
  const refused: string[] = [];
  await context.route(/\/api\/plugin-proxy\//, (route) => {
    refused.push(new URL(route.request().url()).pathname);
    return route.fulfill({ status: 401, json: { message: 'Unauthorized' } });
  });
  await page.clock.install();
  await goElsewhere(page);
  await expect.poll(() => refused.length).toBeGreaterThan(0);
  await advance(page, 60_000);
  expect(refused.filter((path) => !path.endsWith('/events'))).toEqual([]);
  await expect(frame.toasts).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe('/point/grafana/dashboard/sidebar/v1');
});
