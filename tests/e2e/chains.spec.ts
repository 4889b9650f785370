import type { Chains as ChainsAnswer } from '../../backend-bridge/contract/chain.ts';
import { expectAccessible } from './support/axe.ts';
import { anAnswer, FakeNode, startWatching } from './support/chains.ts';
import type { TestBridge } from './support/bridge.ts';
import { expect, test as base } from './support/test.ts';
import { Chains } from './views/chains.ts';
import { Packages } from './views/packages.ts';
import { Panel } from './views/panel.ts';
import { Thresholds } from './views/thresholds.ts';

interface Watched {
  bridge: TestBridge;
  sepolia: FakeNode;
  broken: FakeNode;
}

/** A real bridge with fake nodes: one synced, one syncing, one that responds with an error, one of an unknown chain. */
const test = base.extend<{ watched: Watched }>({
  watched: async ({ console }, use) => {
    const geth = await FakeNode.start();
    const sepolia = await FakeNode.start({ chainId: 11_155_111, current: 7_794_310, target: 12_332_770, peers: 3 });
    const broken = await FakeNode.start({ rpcError: 'the database is being repaired' });
    const { bridge, stop } = await startWatching([
      { name: 'geth', url: geth.url },
      { name: 'sepolia-geth', url: sepolia.url },
      { name: 'nethermind', url: broken.url },
      { name: 'handshake', url: geth.url, driver: 'handshake' },
    ]);
    console.settings.jsonData = { bridgeUrl: bridge.url };
    console.settings.secureJsonData = { bridgeToken: bridge.token };
    await use({ bridge, sepolia, broken });
    await stop();
    await Promise.all([geth, sepolia, broken].map((node) => node.stop()));
  },
});

test('links to the chain thresholds', async ({ page, watched }) => {
  await expect
    .poll(async () => (await watched.bridge.call<ChainsAnswer>('GET', '/api/v1/chains')).nodes.length)
    .toBe(4);
  await new Chains(page).open();
  await page.getByRole('link', { name: 'Chain thresholds' }).click();
  const thresholds = new Thresholds(page);
  await expect(thresholds.frame.title).toHaveText('Thresholds');
  await expect(thresholds.search).toHaveValue('chain');
  // One card for each node that the bridge can poll.
  await expect(page.locator('[data-endpoint="chain-behind"]')).toHaveCount(3);
});

test('a row for each node, worst first', { tag: '@hosts' }, async ({ page, watched }) => {
  const chains = new Chains(page);
  await chains.open();
  await expect(chains.frame.breadcrumbs).toHaveText('HomeNodebellChains');
  await expect(chains.node('geth')).toContainText('Synced');
  await expect(chains.nodes).toHaveText([/No valid response/, /Syncing/, /Synced/, /Not supported/]);
  const geth = chains.node('geth');
  await expect(geth).toContainText('Ethereum');
  await expect(geth).toContainText('geth v1.17.4-stable');
  await expect(geth).toContainText('26,458,112');
  await expect(geth.getByRole('cell').nth(4)).toHaveText('48');
  await expect(geth.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');

  const sepolia = chains.node('sepolia-geth');
  await expect(sepolia.getByRole('rowheader')).toContainText('Ethereum Sepolia');
  await expect(sepolia).toContainText('7,794,310 / 12,332,770');
  await expect(sepolia).toContainText('63.1 %');
  await expect(sepolia.getByRole('progressbar')).toHaveAttribute(
    'aria-valuetext',
    '63.1 %, block 7,794,310 of 12,332,770'
  );
  await expect(sepolia.getByRole('cell').nth(2)).toHaveText('4,538,460');
  await expect(sepolia.getByRole('cell').nth(4)).toHaveText('3, too few');

  // An error is never shown as syncing or with an empty progress bar.
  const broken = chains.node('nethermind');
  await expect(broken).toContainText('the database is being repaired');
  await expect(broken.getByRole('progressbar')).toHaveCount(0);
  expect(watched.broken.rpcError).toBeDefined();
});

test('values and states follow the nodes, and state changes are announced', async ({ page, watched }) => {
  const chains = new Chains(page);
  await chains.open();
  await expect(chains.node('sepolia-geth')).toContainText('7,794,310');
  watched.sepolia.current += 1000;
  await expect(chains.node('sepolia-geth')).toContainText('7,795,310');
  watched.sepolia.target = undefined;
  watched.sepolia.current = 12_332_770;
  await expect(chains.node('sepolia-geth')).toContainText('Synced');
  await expect(page.getByRole('log')).toContainText('Ethereum Sepolia, sepolia-geth: Synced');
  await expect(chains.nodes).toHaveText([/No valid response/, /Synced/, /Synced/, /Not supported/]);
  watched.broken.rpcError = undefined;
  await expect(chains.node('nethermind')).toContainText('Synced');
});

test('tabs and search filter the list and are kept in the URL', async ({ page, watched: _ }) => {
  const chains = new Chains(page);
  await chains.open();
  await expect(chains.node('geth')).toContainText('Synced');
  await expect(chains.tab('Needs attention')).toContainText('1');
  await chains.tab('Needs attention').click();
  await expect(chains.nodes).toHaveText([/No valid response/]);
  await expect(page).toHaveURL(/tab=attention/);
  await chains.tab('All').click();
  await chains.search.fill('sepolia');
  await expect(chains.nodes).toHaveCount(1);
  await expect(page.getByText('1 of 4 nodes')).toBeVisible();
  await page.reload();
  await expect(chains.nodes).toHaveCount(1);
  await chains.search.fill('nothing of the kind');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(chains.nodes).toHaveCount(4);
});

test('a menu links to the package', async ({ page, watched: _ }) => {
  const chains = new Chains(page);
  await chains.open();
  await chains.node('geth').getByRole('button', { name: 'Links for geth' }).press('Enter');
  const menu = page.getByRole('menu', { name: 'Links for geth' });
  await expect(menu.getByRole('menuitem')).toHaveText(['View package', 'View notifications', 'UI', 'Homepage']);
  await menu.getByRole('menuitem', { name: 'View package' }).click();
  await expect(page).toHaveURL(/\/packages\/geth\.dnp\.dappnode\.eth$/);
});

test('on a phone further details expand', async ({ page, watched: _ }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const chains = new Chains(page);
  await chains.open();
  const sepolia = chains.node('sepolia-geth');
  await expect(sepolia).toContainText('63.1 %');
  await expect.poll(() => chains.frame.overflow()).toBe(0);
  await expect(sepolia.getByText('Blocks behind')).toHaveCount(0);
  const button = sepolia.getByRole('button', { name: 'Details for sepolia-geth' });
  await button.press('Enter');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await expect(sepolia.locator('dl')).toContainText('Blocks behind4,538,460');
  await expect(sepolia.locator('dl')).toContainText('Peers3, too few');
  await expect.poll(() => chains.frame.overflow()).toBe(0);
  await expectAccessible(page);
});

test('while the bridge is down the rows stay, and recover automatically', async ({ page, watched }) => {
  const chains = new Chains(page);
  await chains.open();
  await expect(chains.node('geth')).toContainText('Synced');
  await watched.bridge.stop();
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeVisible();
  await expect(chains.node('geth')).toContainText('26,458,112');
  await watched.bridge.start();
  await expect(page.getByText('The Nodebell bridge is not responding')).toBeHidden();
  await expect(chains.node('geth')).toContainText('Synced');
});

test('the card and the page of a package show its node', async ({ page, watched }) => {
  const packages = new Packages(page);
  await packages.open();
  const card = packages.card('sepolia-geth.dnp.dappnode.eth');
  await expect(card).toContainText('Syncing7,794,310');
  await expect(card.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '63.1');
  watched.sepolia.current += 1000;
  await expect(card).toContainText('7,795,310');
  await expect(packages.card('handshake.dnp.dappnode.eth')).toContainText('Blockchain');
  await packages.openPackage('sepolia-geth.dnp.dappnode.eth');
  const chain = page.getByRole('region', { name: 'Chain', exact: true });
  await expect(chain).toContainText('7,795,310 / 12,332,770, 3 peers');
  await expect(chain.getByRole('progressbar')).toBeVisible();
  await expectAccessible(page);
  await chain.getByRole('link', { name: 'All chains' }).click();
  await expect(page).toHaveURL(/\/chains$/);
});

test('500 nodes are rendered in batches, and searchable', async ({ page }) => {
  const nodes = Array.from({ length: 500 }, (_, index) => anAnswer(`node-${index}`));
  await page.route('**/api/v1/chains', (route) =>
    route.fulfill({ json: { now: new Date().toISOString(), nodes } satisfies ChainsAnswer })
  );
  const chains = new Chains(page);
  await chains.open();
  await expect(chains.tab('Synced')).toContainText('500');
  await expect(chains.nodes).toHaveCount(60);
  // The button disappears once it is scrolled into view.
  await page
    .getByRole('button', { name: 'Show more (440 nodes remaining)' })
    .evaluate((button) => button.scrollIntoView());
  await expect(chains.nodes).toHaveCount(120);
  await chains.search.fill('node-499');
  await expect(chains.nodes).toHaveCount(1);
});

for (const theme of ['dark', 'light'] as const) {
  test(`the page is accessible, ${theme}`, async ({ page, watched: _ }) => {
    const chains = new Chains(page);
    await chains.open('', { theme });
    await expect(chains.node('geth')).toContainText('Synced');
    await expectAccessible(page);
  });

  for (const layout of ['list', 'tiles']) {
    test(`the panel is accessible, ${layout}, ${theme}`, async ({ page, watched: _ }) => {
      const panel = new Panel(page, 'nodebell-chainsync-panel', 'Chains');
      await panel.open({ layout }, { w: 12, h: 8 }, { theme });
      await expect(panel.content.getByRole('listitem')).toHaveCount(4);
      await expectAccessible(page);
    });
  }
}
