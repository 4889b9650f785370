import { expectAccessible } from './support/axe.ts';
import { CPU, keptOf, notificationsOf, registerDms } from './support/endpoints.ts';
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

for (const theme of ['dark', 'light'] as const) {
  test(`the thresholds panel is accessible, ${theme}`, async ({ page, bridge }) => {
    await registerDms(bridge);
    const panel = new Panel(page, PANEL, 'Thresholds');
    await panel.open({}, { w: 6, h: 10 }, { theme });
    await expect(panel.content.getByRole('listitem')).toHaveCount(3);
    await expectAccessible(page);
  });
}
