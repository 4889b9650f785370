import type { Page } from '@playwright/test';
import { png } from '../../backend-bridge/src/packages/icons/images.testing.ts';
import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';
import { Panel } from './views/panel.ts';

const PANELS = [
  ['nodebell-inbox-panel', 'Inbox'],
  ['nodebell-thresholds-panel', 'Thresholds'],
  ['nodebell-packages-panel', 'Packages'],
  ['nodebell-chainsync-panel', 'Chains'],
] as const;

/** Grafana's default policy with `content_security_policy = true`, for this host. */
const policyOf = (host: string) =>
  [
    "script-src 'self' 'unsafe-eval' 'unsafe-inline' 'strict-dynamic' 'nonce-grafana'",
    "object-src 'none'",
    "font-src 'self'",
    "style-src 'self' 'unsafe-inline' blob:",
    'img-src * data:',
    "base-uri 'self'",
    `connect-src 'self' grafana.com ws://${host} wss://${host}`,
    "manifest-src 'self'",
    "media-src 'none'",
    "form-action 'self'",
  ].join('; ');

/** Rewrites the documents of the host. */
const rewrite = (page: Page, change: (html: string) => string, headers: (host: string) => Record<string, string>) =>
  page.route(
    () => true,
    async (route) => {
      const request = route.request();
      if (request.resourceType() !== 'document') {
        return route.fallback();
      }
      const response = await route.fetch();
      const added = headers(new URL(request.url()).host);
      return route.fulfill({
        response,
        headers: { ...response.headers(), ...added },
        body: change(await response.text()),
      });
    }
  );

/** A violation is logged to the console, which fails the test. */
const underPolicy = (page: Page) =>
  rewrite(
    page,
    (html) => html.replaceAll('<script', '<script nonce="grafana"'),
    (host) => ({ 'content-security-policy': policyOf(host) })
  );

test('the pages work under Grafana’s content security policy', async ({ page, bridge, frame }) => {
  await bridge.send({ title: 'Disk full', body: '**Bold** and [a link](https://example.org)' });
  await underPolicy(page);
  await frame.open('inbox');
  await page.getByText('Disk full').first().click();
  await expect(page.getByRole('link', { name: 'a link' })).toBeVisible();
  await bridge.send({ title: 'Sent by the event stream' });
  // In the list, or pending.
  await expect(page.getByText(/Sent by the event stream|1 new/).first()).toBeVisible();
  for (const name of ['Thresholds', 'Packages', 'Chains']) {
    await frame.open(name.toLowerCase());
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  }
});

test('icons work under Grafana’s content security policy', async ({ page, bridge }) => {
  await bridge.send({ title: 'With an icon', icon: 'https://icons.example/i.png' });
  await underPolicy(page);
  // The bridge cannot reach that host here.
  await page.route(/\/notifications\/\d+\/icon$/, (route) =>
    route.fulfill({ contentType: 'image/png', body: png(16) })
  );
  const inbox = new Inbox(page);
  await inbox.open();
  await expect(inbox.row('With an icon').locator('img')).toHaveJSProperty('naturalWidth', 16);
});

test('panels work under Grafana’s content security policy', async ({ page }) => {
  await underPolicy(page);
  for (const [id, name] of PANELS) {
    await new Panel(page, id, name).open();
  }
});

test('panels on a public dashboard ask to sign in, and send no requests', async ({ page }) => {
  await rewrite(
    page,
    (html) => html.replace('"appSubUrl":""', '"appSubUrl":"","publicDashboardAccessToken":"1a2b"'),
    () => ({})
  );
  const requests: string[] = [];
  page.on('request', (request) => request.url().includes('/plugin-proxy/') && requests.push(request.url()));
  for (const [id] of PANELS) {
    await page.goto(`/panel/${id}?w=8&h=8&title=Panel`);
    await expect(page.getByText('Sign in to Grafana to view this panel.')).toBeVisible();
  }
  expect(requests).toEqual([]);
});
