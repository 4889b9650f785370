import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const GRAVE = new Set(['serious', 'critical']);

/** Fails with the rule, the element and the remedy for each serious or critical finding of axe on what is shown. */
export async function expectAccessible(page: Page, { include }: { include?: string } = {}): Promise<void> {
  // What lies under the pointer has a colour of its own, and Grafana's for a primary button is too pale in the dark.
  await page.mouse.move(0, 0);
  await endOfAnimations(page);
  const builder = new AxeBuilder({ page });
  const { violations } = await (include ? builder.include(include) : builder).analyze();
  const findings = violations
    .filter(({ impact }) => impact && GRAVE.has(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`)
    );
  expect(findings).toEqual([]);
}

/** Colours are judged as they are drawn; halfway from one to another they are neither. What turns without end is left alone. */
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
