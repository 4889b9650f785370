/** Contrast, names and width of the pages where people act, in both themes, on a desktop and on a phone. */
import { fire } from './support/alerts.ts';
import { expectAccessible } from './support/axe.ts';
import type { TestBridge } from './support/bridge.ts';
import { registerDms } from './support/endpoints.ts';
import { expect, test } from './support/test.ts';
import { EXAMPLE_RULES } from '../../standalone/server/exampleRules.ts';
import { SEED_PATH } from '../../standalone/server/grafanaRules.ts';
import { Inbox } from './views/inbox.ts';

const SHOTS = process.env['NODEBELL_SHOTS'];
const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

async function fill(bridge: TestBridge): Promise<void> {
  await registerDms(bridge);
  await fire(bridge);
  await fire(bridge, {
    labels: { alertname: 'FewPeers', severity: 'critical', instance: 'a-very-long-name-of-an-instance.example.org' },
    annotations: { summary: 'Few peers', runbook_url: 'https://wiki.example.org/peers' },
  });
  await bridge.sendAll([{ title: 'Update available' }, { title: 'Backup done', status: 'resolved' }]);
  for (const type of ['ntfy', 'webpush']) {
    const settings = type === 'ntfy' ? { topic: 'nodebell' } : { subject: 'mailto:admin@example.org' };
    await bridge.call('POST', '/api/v1/channels', { name: type, type, ...settings });
  }
}

for (const theme of ['dark', 'light'] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    test(`texts can be read and nothing sticks out, ${theme}, ${size}`, async ({ page, frame, ownBridge: bridge }) => {
      await fill(bridge);
      await page.request.post(SEED_PATH, { data: { rules: EXAMPLE_RULES } });
      await page.setViewportSize(viewport);
      const inspect = async (name: string) => {
        if (SHOTS !== undefined) {
          await page.screenshot({ path: `${SHOTS}/${name}-${size}-${theme}.png` });
        }
        await expectAccessible(page);
        expect([name, await frame.overflow()]).toEqual([name, 0]);
      };
      const inbox = new Inbox(page);
      await inbox.open('', { theme });
      await expect(inbox.row('Few peers')).toBeVisible();
      await inspect('inbox');
      await inbox.open('groupBy=instance', { theme });
      await expect(inbox.header('a-very-long-name')).toBeVisible();
      if (size === 'phone') {
        await page.getByRole('button', { name: 'Filters' }).click();
      }
      await inspect('inbox-by-label');
      await inbox.row('Few peers').focus();
      await page.keyboard.press('x');
      await expect(inbox.bulkBar).toBeVisible();
      await inspect('inbox-selected');
      await page.keyboard.press('Escape');
      await inbox.row('Few peers').click();
      await expect(inbox.detail.getByText('FewPeers')).toBeVisible();
      await inspect('thread');
      for (const [path, ready] of [
        ['thresholds', 'CPU'],
        ['thresholds?tab=rules', 'Room temperature'],
        ['report', 'FewPeers'],
        ['silences', 'Nothing is silenced'],
        ['on-call', 'No schedules yet'],
        ['silences?add=1', 'Each week'],
        ['channels', 'ntfy'],
        ['channels?tab=routes', 'Add route'],
        ['channels?add=1', 'Telegram'],
      ] as const) {
        await frame.open(path);
        await expect(page.locator('main').getByText(ready).first()).toBeVisible();
        await inspect(path.replace(/\W+/g, '-'));
      }
      await page.request.post(SEED_PATH, { data: { rules: [] } });
    });
  }
}
