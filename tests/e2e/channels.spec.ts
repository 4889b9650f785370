/** The page Channels, with a bridge that may connect to receivers on this machine. */
import type { Page } from '@playwright/test';
import { type Receiver, startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startConsole } from '../../standalone/server/console.ts';
import { expectAccessible } from './support/axe.ts';
import { TestBridge } from './support/bridge.ts';
import { expect, test } from './support/test.ts';

async function withNtfy(run: (ntfy: Receiver, bridge: TestBridge, url: string) => Promise<void>): Promise<void> {
  const ntfy = await startNtfy();
  const bridge = await TestBridge.start({ NODEBELL_OUTBOUND_ALLOW: '127.0.0.1' });
  const running = await startConsole({ port: 0, bridgeUrl: bridge.url, bridgeToken: bridge.token });
  try {
    await run(ntfy, bridge, `${running.url}/a/nodebell-notifications-app`);
  } finally {
    await running.close();
    await bridge.dispose();
    await ntfy.close();
  }
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a channel is added, tested and routed, and delivers', async ({ page }) => {
  await withNtfy(async (ntfy, bridge, app) => {
    await page.goto(`${app}/channels`);
    await button(page, 'Add channel').click();
    await page.getByRole('radio', { name: /ntfy/ }).check({ force: true });
    await page.getByLabel(/^Name/).fill('push');
    await page.getByLabel(/^Topic/).fill('node');
    await page.getByLabel(/^Server/).fill(ntfy.url);
    await page.getByLabel(/^Access token/).fill('the-secret-token');
    await button(page, 'Send a test').click();
    await expect(page.getByText('Check that the test has arrived')).toBeVisible();
    await page.getByLabel('Priority, at least').click();
    await page.getByRole('option', { name: 'Important' }).click();
    await expect(page.getByText('Critical and important, day and night')).toBeVisible();
    await expectAccessible(page);
    await button(page, 'Save channel').click();
    const row = page.getByRole('listitem', { name: 'push' });
    await expect(row).toContainText('Critical and important, day and night');
    await bridge.send({ title: 'Low', priority: 'low' });
    const { id } = await bridge.send({ title: 'Disk full', body: 'of the node', priority: 'critical' });
    await expect(row).toContainText('Working');
    await expectAccessible(page);
    const titles = ntfy.accepted.map(({ json }) => String(json['title']).replace(/^\w+: /, ''));
    expect(titles).toEqual(['Test', 'Disk full']);
    expect(await page.content()).not.toContain('the-secret-token');
    await page.goto(`${app}/inbox?id=${id}`);
    await expect(page.getByRole('list', { name: 'Deliveries' })).toContainText('push');
    await expect(page.locator('[data-detail]').getByText('of the node')).toBeVisible();
    // Pending requests must not fail when the host closes.
    await page.goto('about:blank');
  });
});
