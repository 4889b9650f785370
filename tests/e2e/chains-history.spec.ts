import type { Page } from '@playwright/test';
import type { Chains as ChainsAnswer } from '../../backend-bridge/contract/chain.ts';
import type { ChainHistory } from '../../backend-bridge/contract/history.ts';
import { expectAccessible } from './support/axe.ts';
import type { TestBridge } from './support/bridge.ts';
import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Chains } from './views/chains.ts';

const DAY = 86_400;
const PACKAGE = 'geth.dnp.dappnode.eth';

/** A day in which the node was up to 1,200 blocks behind. */
function behind(): ChainHistory {
  const end = Math.floor(Date.now() / 300_000) * 300;
  return {
    from: new Date((end - DAY) * 1000).toISOString(),
    to: new Date(end * 1000).toISOString(),
    stepSeconds: 300,
    samples: Array.from({ length: 288 }, (_, index) => [end - (287 - index) * 300, index === 100 ? 1200 : index % 3]),
  };
}

const PROBLEM = {
  type: '/api/v1/problems/no-history',
  title: 'Prometheus gives no history',
  status: 503,
  detail: 'Prometheus: authentication failed (401).',
  id: 'x',
  errors: [],
};

/** The bridge of these tests has no Prometheus, so history is added to its responses. */
async function openWith(page: Page, bridge: TestBridge, answer: { status: number; json: unknown }): Promise<Chains> {
  await register(bridge, { name: PACKAGE, chain: 'ethereum' });
  await page.route('**/api/v1/chains', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as ChainsAnswer;
    await route.fulfill({ response, json: { ...json, history: true } });
  });
  await page.route('**/api/v1/chains/*/history', (route) => route.fulfill(answer));
  return new Chains(page);
}

for (const theme of ['dark', 'light'] as const) {
  test(
    `the distance behind is drawn in the row and given as text, ${theme}`,
    { tag: theme === 'dark' ? '@hosts' : [] },
    async ({ page, bridge }) => {
      const chains = await openWith(page, bridge, { status: 200, json: behind() });
      await chains.open('', { theme });
      const history = chains.node('geth').locator('[data-history]');
      await expect(history).toHaveText('Last 24 hours: up to 1,200 behind.');
      await expect(history.locator('svg path')).toHaveCount(2);
      await expectAccessible(page);
    }
  );
}

test('on a phone the history is among the details', async ({ page, bridge }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const chains = await openWith(page, bridge, { status: 200, json: behind() });
  await chains.open();
  await expect(chains.node('geth').locator('[data-history]')).toHaveCount(0);
  await chains.node('geth').getByRole('button', { name: 'Details for geth' }).click();
  await expect(chains.node('geth').locator('[data-history]')).toHaveText('Last 24 hours: up to 1,200 behind.');
  await expect.poll(() => chains.frame.overflow()).toBeLessThanOrEqual(0);
});

test('shows why there is no history', async ({ page, bridge }) => {
  const chains = await openWith(page, bridge, { status: 503, json: PROBLEM });
  await chains.open();
  await expect(chains.node('geth').locator('[data-history]')).toContainText('no history');
  await expect(chains.node('geth').locator('[data-history]')).toContainText('authentication failed');
});
