import { FakeNode, startWatching } from './support/chains.ts';
import { expect, test as base } from './support/test.ts';
import { Panel } from './views/panel.ts';

const test = base.extend<{ watched: { sepolia: FakeNode }; panel: Panel }>({
  watched: async ({ console }, use) => {
    const geth = await FakeNode.start();
    const sepolia = await FakeNode.start({ chainId: 11_155_111, current: 7_794_310, target: 12_332_770 });
    const { bridge, stop } = await startWatching([
      { name: 'geth', url: geth.url },
      { name: 'sepolia-geth', url: sepolia.url },
    ]);
    console.settings.jsonData = { bridgeUrl: bridge.url };
    console.settings.secureJsonData = { bridgeToken: bridge.token };
    await use({ sepolia });
    await stop();
    await Promise.all([geth, sepolia].map((node) => node.stop()));
  },
  panel: async ({ page, watched: _ }, use) => use(new Panel(page, 'nodebell-chainsync-panel', 'Chains')),
});

for (const layout of ['list', 'tiles'] as const) {
  test(
    `the chains panel from 4 × 4 cells, ${layout}`,
    { tag: layout === 'list' ? '@hosts' : [] },
    async ({ panel }) => {
      for (const size of [
        { w: 4, h: 4 },
        { w: 10, h: 6 },
        { w: 24, h: 12 },
      ]) {
        await panel.open({ layout }, size);
        await expect(panel.content.getByRole('listitem')).toHaveText([/Ethereum Sepolia.*63\.1 %/, /Ethereum.*Synced/]);
        await expect.poll(() => panel.overflow()).toBe(0);
      }
    }
  );
}

test('a narrow panel drops the peers first, then the bar', async ({ panel }) => {
  const bars = panel.content.getByRole('progressbar');
  const peers = panel.content.getByText('48 peers');
  await panel.open({}, { w: 24, h: 6 });
  await expect(bars).toHaveCount(2);
  await expect(peers).toHaveCount(2);
  await panel.open({}, { w: 9, h: 6 });
  await expect(bars).toHaveCount(2);
  await expect(peers).toHaveCount(0);
  await panel.open({}, { w: 4, h: 6 });
  await expect(panel.content.getByRole('listitem')).toHaveCount(2);
  await expect(bars).toHaveCount(0);
});

test('the duration of an outage is never cut off; the cause is dropped first', async ({ panel, watched }) => {
  await watched.sepolia.stop();
  const row = panel.content.getByRole('listitem').first();
  for (const [w, cause] of [
    [4, false],
    [8, false],
    [24, true],
  ] as const) {
    await panel.open({}, { w, h: 6 });
    const state = row.getByText(/^Unreachable for|^Unreachable$/);
    await expect(state).toBeVisible();
    await expect.poll(() => state.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await expect(row.getByText('Connection refused')).toHaveCount(cause ? 1 : 0);
  }
});
