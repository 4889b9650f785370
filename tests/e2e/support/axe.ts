import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const GRAVE = new Set(['serious', 'critical']);

/** Fails with the rule, the element and the remedy for each serious or critical finding of axe on what is shown. */
export async function expectAccessible(page: Page, { include }: { include?: string } = {}): Promise<void> {
  const builder = new AxeBuilder({ page });
  const { violations } = await (include ? builder.include(include) : builder).analyze();
  const findings = violations
    .filter(({ impact }) => impact && GRAVE.has(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`)
    );
  expect(findings).toEqual([]);
}
