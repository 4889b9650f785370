import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const GRAVE = new Set(['serious', 'critical']);

/** Fails on serious and critical findings of axe, with rule, element and remedy. */
export async function expectAccessible(page: Page, { include }: { include?: string } = {}): Promise<void> {
  // Grafana's primary button has too little contrast in the dark theme while it is hovered, or has the focus.
  await page.mouse.move(0, 0);
  await endOfAnimations(page);
  // Dimmed, as a disabled one, which axe leaves out.
  const builder = new AxeBuilder({ page }).exclude('button[aria-busy=true]');
  const { violations } = await (include ? builder.include(include) : builder).analyze();
  const focused = await page
    .locator('button:focus, button:focus *')
    .evaluateAll((all) => all.map((one) => one.outerHTML));
  const findings = violations
    .filter(({ impact }) => impact && GRAVE.has(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes
        .filter(({ html }) => id !== 'color-contrast' || !focused.includes(html))
        .map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`)
    );
  expect(findings).toEqual([]);
}

/** Waits for running animations, since colors are measured as drawn. Endless ones are ignored. */
const endOfAnimations = (page: Page) =>
  page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(
          (one) => one.playState === 'running' && Number.isFinite(Number(one.effect?.getComputedTiming().endTime))
        );
    for (let some = moving(); some.length > 0; some = moving()) {
      await Promise.allSettled(some.map(({ finished }) => finished));
    }
  });
