import type { Page, Request } from '@playwright/test';
import { DMS, keptOf, registerDms } from './support/endpoints.ts';
import { expect, test } from './support/test.ts';
import { Thresholds } from './views/thresholds.ts';

/** The changes that the page sends, as they arrive. */
function changesOf(page: Page): unknown[] {
  const requests: unknown[] = [];
  page.on('request', (request: Request) => {
    if (request.method() === 'PATCH') {
      requests.push(request.postDataJSON());
    }
  });
  return requests;
}

/** Runs the page's timers for longer than a gesture takes to settle. Requests sent until then have been seen after it. */
async function pastSettling(page: Page): Promise<void> {
  await page.clock.runFor(600);
  await page.evaluate(async () => (await fetch('/')).text());
}

test('a drag saves once, and the condition has the new value', { tag: '@hosts' }, async ({ page, bridge }) => {
  await page.clock.install();
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open();
  const changes = changesOf(page);
  const slider = thresholds.slider('dms-cpu');
  // Waits until the layout is stable.
  await slider.hover();
  const box = (await slider.boundingBox())!;
  const at = (share: number) => box.x + 8 + (box.width - 16) * share;
  await page.mouse.move(at(0.8), box.y + box.height / 2);
  await page.mouse.down();
  for (const share of [0.75, 0.7, 0.65, 0.6, 0.55, 0.5]) {
    await page.mouse.move(at(share), box.y + box.height / 2);
  }
  await expect(thresholds.endpoint('dms-cpu')).toContainText('Alerts above 50 %');
  await pastSettling(page);
  expect(changes).toEqual([]);
  await page.mouse.up();
  await expect.poll(() => changes).toEqual([{ threshold: 50 }]);
  await expect.poll(async () => (await keptOf(bridge, 'dms-cpu'))?.condition?.effective).toBe('[BODY].cpu <= 50');
  await expect(thresholds.field('dms-cpu')).toHaveValue('50');
  await page.reload();
  await expect(thresholds.slider('dms-cpu')).toHaveValue('50');
});

test('keyboard input saves once it has settled, and the unit is announced', async ({ page, bridge }) => {
  await page.clock.install();
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open();
  const changes = changesOf(page);
  const slider = thresholds.slider('dms-cpu');
  await expect(slider).toHaveAttribute('aria-valuetext', '80 %');
  await slider.focus();
  // Held down, so that it is one gesture however long it takes.
  for (let times = 0; times < 5; times += 1) {
    await page.keyboard.down('ArrowLeft');
  }
  await expect(slider).toHaveAttribute('aria-valuetext', '75 %');
  await pastSettling(page);
  expect(changes).toEqual([]);
  await page.keyboard.up('ArrowLeft');
  await expect.poll(() => changes).toEqual([{ threshold: 75 }]);
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  await expect.poll(() => changes).toEqual([{ threshold: 75 }, { threshold: 100 }]);
  await thresholds.slider('dms-cpu').focus();
  await page.keyboard.down('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', '99 %');
  await page.keyboard.press('Escape');
  await expect(slider).toHaveAttribute('aria-valuetext', '100 %');
  await page.keyboard.up('ArrowLeft');
  await pastSettling(page);
  expect(changes).toHaveLength(2);
});

test('a change appears in another tab', async ({ page, context, bridge }) => {
  await registerDms(bridge);
  const here = new Thresholds(page);
  await here.open();
  const there = new Thresholds(await context.newPage());
  await there.open();
  await here.field('dms-cpu').fill('55');
  await here.field('dms-cpu').press('Enter');
  await expect(there.slider('dms-cpu')).toHaveValue('55');
  await there.packageSwitch(DMS).setChecked(false, { force: true });
  await expect(here.packageSwitch(DMS)).not.toBeChecked();
  await there.page.close();
});
