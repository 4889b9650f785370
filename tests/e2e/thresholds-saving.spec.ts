import type { Page, Request } from '@playwright/test';
import { CPU, DMS, keptOf, notificationsOf, registerDms } from './support/endpoints.ts';
import { register } from './support/packages.ts';
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

test('a drag saves once, and the condition has the new value', { tag: '@hosts' }, async ({ page, bridge }) => {
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
  await page.waitForTimeout(600);
  expect(changes).toEqual([]);
  await page.mouse.up();
  await expect.poll(() => changes).toEqual([{ threshold: 50 }]);
  await expect.poll(async () => (await keptOf(bridge, 'dms-cpu'))?.condition?.effective).toBe('[BODY].cpu <= 50');
  await expect(thresholds.field('dms-cpu')).toHaveValue('50');
  await page.reload();
  await expect(thresholds.slider('dms-cpu')).toHaveValue('50');
});

test(
  'keyboard input saves once it has settled, and the unit is announced',
  { tag: '@hosts' },
  async ({ page, bridge }) => {
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
    await page.waitForTimeout(600);
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
    await page.waitForTimeout(600);
    expect(changes).toHaveLength(2);
  }
);

test(
  'the number field accepts decimals, and rejects invalid input with an error',
  { tag: '@hosts' },
  async ({ page, bridge }) => {
    await registerDms(bridge);
    const thresholds = new Thresholds(page);
    await thresholds.open();
    const changes = changesOf(page);
    const field = thresholds.field('dms-cpu');
    for (const [typed, reason] of [
      ['101', 'Must be between 0 and 100 %. 80 % stays in effect.'],
      ['eighty', 'Not a number. 80 % stays in effect.'],
      ['82,5', 'Use a point for decimals'],
      ['', 'Enter a number'],
    ] as const) {
      await field.fill(typed);
      await field.press('Enter');
      await expect(thresholds.endpoint('dms-cpu').getByRole('alert')).toContainText(reason);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
    }
    await field.blur();
    await page.waitForTimeout(600);
    expect(changes).toEqual([]);
    await field.fill('82.5');
    await expect(thresholds.endpoint('dms-cpu').getByRole('alert')).toHaveCount(0);
    await field.press('Enter');
    await expect.poll(() => changes).toEqual([{ threshold: 82.5 }]);
    await expect(thresholds.slider('dms-cpu')).toHaveValue('82.5');
    await expect(thresholds.endpoint('dms-cpu')).toContainText('Gatus truncates decimals');
    await thresholds.endpoint('dms-cpu').getByRole('button', { name: 'Reset to 80 %' }).click();
    await expect.poll(() => changes).toEqual([{ threshold: 82.5 }, { threshold: null }]);
    await expect(thresholds.endpoint('dms-cpu')).toContainText('default');
  }
);

test('a failed save is reverted, with the error and a retry', async ({ page, bridge }) => {
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await bridge.stop();
  const endpoint = thresholds.endpoint('dms-cpu');
  await thresholds.field('dms-cpu').fill('60');
  await thresholds.field('dms-cpu').press('Enter');
  await expect(endpoint.getByRole('alert')).toContainText(
    'Not saved, 80 % stays in effect: The bridge is not responding.'
  );
  await expect(thresholds.slider('dms-cpu')).toHaveValue('80');
  await bridge.start();
  await endpoint.getByRole('button', { name: 'Retry' }).click();
  await expect(endpoint.getByRole('alert')).toHaveCount(0);
  await expect(thresholds.slider('dms-cpu')).toHaveValue('60');
  await expect.poll(async () => (await keptOf(bridge, 'dms-cpu'))?.threshold?.value).toBe(60);
});

test('the new value is shown during a slow save', async ({ page, bridge }) => {
  await registerDms(bridge);
  const thresholds = new Thresholds(page);
  await thresholds.open();
  await page.route('**/endpoints/dms-cpu', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue();
  });
  const seen: string[] = [];
  await page.exposeFunction('sawValue', (value: string) => seen.push(value));
  await thresholds.slider('dms-cpu').evaluate((slider: HTMLInputElement) => {
    let last = '';
    const look = () => {
      if (slider.value !== last) {
        last = slider.value;
        (window as unknown as { sawValue: (value: string) => void }).sawValue(last);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  await thresholds.field('dms-cpu').fill('40');
  await thresholds.field('dms-cpu').press('Enter');
  await thresholds.field('dms-cpu').fill('30');
  await thresholds.field('dms-cpu').press('Enter');
  await expect.poll(async () => (await keptOf(bridge, 'dms-cpu'))?.threshold?.value).toBe(30);
  await page.waitForTimeout(500);
  // Never the previous value again; a frame with 40 may be missed.
  expect(seen.join(' ')).toMatch(/^80( 40)? 30$/);
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

test('a value out of range is shown and not changed by focus', async ({ page, bridge }) => {
  const changes = changesOf(page);
  await register(bridge, { name: DMS }, { notifications: notificationsOf({ ...CPU, condition: '[BODY].cpu <= 150' }) });
  const thresholds = new Thresholds(page);
  await thresholds.open();
  const field = thresholds.field('dms-cpu');
  await expect(field).toHaveValue('150');
  await expect(thresholds.endpoint('dms-cpu')).toContainText('Alerts above 150 %');
  for (const control of [field, thresholds.slider('dms-cpu')]) {
    await control.focus();
    await control.blur();
  }
  await page.waitForTimeout(600);
  expect(changes).toEqual([]);
});
