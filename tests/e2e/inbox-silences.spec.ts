/** Silencing an alert at its source, seen by somebody else at once. The host is no Grafana, so the bridge's service account does it. */
import { FakeAlertmanager } from '../../backend-bridge/src/monitoring/silences/fakeAlertmanager.testing.ts';
import { fire, LABELS } from './support/alerts.ts';
import { expectAccessible } from './support/axe.ts';
import { TestBridge } from './support/bridge.ts';
import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

test('is created by keyboard; another tab shows, extends and ends it', async ({
  page,
  browser,
  baseURL,
  console: host,
}) => {
  const grafana = new FakeAlertmanager();
  grafana.alerts['grafana']!.set('print', { ...LABELS, __alert_rule_uid__: 'rule1' });
  const { url, close } = await grafana.listen();
  const bridge = await TestBridge.start({ NODEBELL_GRAFANA_URL: url, NODEBELL_GRAFANA_TOKEN: 'glsa_x' });
  host.settings.jsonData = { bridgeUrl: bridge.url };
  host.settings.secureJsonData = { bridgeToken: bridge.token };
  const guest = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  try {
    await fire(bridge, { fingerprint: 'print', ruleUID: 'rule1' });
    const mine = new Inbox(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await mine.open();
    const theirs = new Inbox(await guest.newPage());
    await theirs.open();
    const title = 'The disk of node-1 is full';

    await mine.row(title).focus();
    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog', { name: 'Silence at the source' });
    await expect(dialog.getByText('Covers 1 firing alert now')).toBeVisible();
    const comment = dialog.getByRole('textbox', { name: /Comment/ });
    await expect(comment).toBeFocused();
    // It opens at its top.
    await expect(dialog.getByText('Alerts with these labels')).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
    const folder = process.env['NODEBELL_SHOTS'];
    if (folder !== undefined) {
      await page.screenshot({ path: `${folder}/silence-phone.png` });
    }
    await page.keyboard.type('New disk');
    await dialog.getByRole('button', { name: /^Silence until/ }).press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(theirs.row(title)).toContainText(/Silenced by \w+ until .*: New disk/);
    await expect(mine.detail).toContainText(/Silenced by \w+ until/);

    await theirs.row(title).focus();
    await theirs.page.keyboard.press('i');
    const { endsAt } = [...grafana.silences['grafana']!.values()][0]!;
    await theirs.page.getByRole('menuitem', { name: 'Extend by 4 hours' }).click();
    await expect.poll(() => [...grafana.silences['grafana']!.values()][0]!.endsAt).not.toBe(endsAt);
    await expect(theirs.detail.getByText(/silenced it at its source/)).toHaveCount(2);
    if (folder !== undefined) {
      await theirs.page.setViewportSize({ width: 1440, height: 900 });
      await theirs.page.screenshot({ path: `${folder}/silence-wide.png` });
      await page.screenshot({ path: `${folder}/silence-phone-detail.png` });
    }
    await theirs.detail.getByRole('button', { name: /^Silenced until/ }).click();
    await theirs.page.getByRole('menuitem', { name: 'End silence' }).click();
    await expect(mine.detail.getByRole('button', { name: 'Silence', exact: true })).toBeVisible();
    await expect(theirs.row(title)).not.toContainText('Silenced');
  } finally {
    await guest.close();
    await bridge.dispose();
    await close();
  }
});
