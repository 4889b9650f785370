import { expectAccessible } from './support/axe.ts';
import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Panel } from './views/panel.ts';

const GETH = 'geth.dnp.dappnode.eth';

for (const layout of ['list', 'compact'] as const) {
  test(
    `the packages panel works from 4 × 4 cells, ${layout}`,
    { tag: layout === 'list' ? '@hosts' : [] },
    async ({ page, bridge }) => {
      await register(bridge, {
        links: {
          ui: 'http://geth.dappnode',
          homepage: 'https://geth.example.org',
          'a name of its own that is long': 'https://docs.example.org',
        },
      });
      await register(bridge, { name: 'a-package-whose-name-is-very-long-indeed.public.dappnode.eth', links: {} });
      const panel = new Panel(page, 'nodebell-packages-panel', 'Packages');
      for (const size of [
        { w: 4, h: 4 },
        { w: 8, h: 6 },
        { w: 24, h: 12 },
      ]) {
        await panel.open({ layout }, size);
        await expect(panel.content.getByRole('listitem')).toHaveCount(2);
        const ui = panel.content.getByRole('link', { name: 'Open UI' });
        await expect(ui).toHaveAttribute('href', 'http://geth.dappnode');
        await expect(ui).toHaveAttribute('rel', 'noopener noreferrer');
        await expect.poll(() => panel.overflow()).toBe(0);
      }
    }
  );
}

test('the panel updates live and keeps its content while the bridge is down', async ({ page, bridge }) => {
  const panel = new Panel(page, 'nodebell-packages-panel', 'Packages');
  await panel.open();
  await expect(panel.content).toContainText('No packages registered.');
  await register(bridge);
  const link = panel.content.getByRole('link', { name: 'Homepage' });
  await expect(link).toBeVisible();
  await bridge.stop();
  await expect(panel.content.getByRole('status')).toContainText('Could not load');
  await expect(link).toBeVisible();
  await bridge.start();
  await expect(panel.content.getByRole('status')).toHaveCount(0);
});

for (const theme of ['dark', 'light'] as const) {
  test(`the packages panel is accessible, ${theme}`, async ({ page, bridge }) => {
    await register(bridge, { name: GETH });
    const panel = new Panel(page, 'nodebell-packages-panel', 'Packages');
    await panel.open({}, { w: 6, h: 6 }, { theme });
    await expect(panel.content.getByRole('link', { name: 'Homepage' })).toBeVisible();
    await expectAccessible(page);
  });
}
