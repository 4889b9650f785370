import { expectAccessible } from './support/axe.ts';
import { CPU, DMS, keptOf, notificationsOf, registerDms } from './support/endpoints.ts';
import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Panel } from './views/panel.ts';
import { Thresholds } from './views/thresholds.ts';

const PANEL = 'nodebell-thresholds-panel';

test(
  'the thresholds panel from 4 × 4 cells, with the same controls as the page',
  { tag: '@hosts' },
  async ({ page, context, bridge }) => {
    await registerDms(bridge);
    await register(
      bridge,
      {},
      { notifications: notificationsOf({ ...CPU, id: 'long', title: 'A long title '.repeat(20) }) }
    );
    const panel = new Panel(page, PANEL, 'Thresholds');
    for (const size of [
      { w: 4, h: 4 },
      { w: 8, h: 6 },
      { w: 24, h: 12 },
    ]) {
      await panel.open({}, size);
      await expect(panel.content.getByRole('listitem')).toHaveCount(4);
      await expect.poll(() => panel.overflow()).toBe(0);
    }
    const there = new Thresholds(await context.newPage());
    await there.open();
    const slider = panel.content.getByRole('slider', { name: 'Threshold for CPU usage' });
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(there.slider('dms-cpu')).toHaveValue('79');
    expect((await keptOf(bridge, 'dms-cpu'))?.condition?.effective).toBe('[BODY].cpu <= 79');
    await there.page.close();
  }
);

test('the panel shows the selected packages, and only sliders if configured', async ({ page, bridge }) => {
  await registerDms(bridge);
  await register(bridge, {}, { notifications: notificationsOf({ ...CPU, id: 'geth-peers', title: 'Peers' }) });
  const panel = new Panel(page, PANEL, 'Thresholds');
  await panel.open({ packages: [DMS, 'nobody.dnp.dappnode.eth'], onlySliders: true });
  await expect(panel.content.getByRole('listitem')).toHaveCount(2);
  await expect(panel.content).toContainText('nobody has no thresholds to show.');
  await panel.content.getByRole('link', { name: 'dms' }).click();
  await expect(page).toHaveURL(new RegExp(`/thresholds\\?q=${DMS}$`));
});

test('a Viewer cannot change the panel; without a bridge it shows the error', async ({ page, bridge }) => {
  await registerDms(bridge);
  const panel = new Panel(page, PANEL, 'Thresholds');
  await panel.open({}, { w: 8, h: 8 }, { role: 'Viewer' });
  await expect(panel.content.getByRole('listitem')).toHaveCount(3);
  await expect(panel.content.getByRole('switch')).toHaveCount(0);
  await bridge.stop();
  await panel.open();
  await expect(panel.content.getByRole('status')).toContainText('Could not load the thresholds');
  await panel.content.getByRole('button', { name: 'Retry' }).click();
  await expect(panel.content.getByRole('status')).toContainText('Could not load the thresholds');
  await bridge.start();
  await expect(panel.content.getByRole('listitem')).toHaveCount(3);
});

for (const theme of ['dark', 'light'] as const) {
  test(`the thresholds panel is accessible, ${theme}`, async ({ page, bridge }) => {
    await registerDms(bridge);
    const panel = new Panel(page, PANEL, 'Thresholds');
    await panel.open({}, { w: 6, h: 10 }, { theme });
    await expect(panel.content.getByRole('listitem')).toHaveCount(3);
    await expectAccessible(page);
  });
}
