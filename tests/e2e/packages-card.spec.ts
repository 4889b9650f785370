import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Packages } from './views/packages.ts';

const GETH = 'geth.dnp.dappnode.eth';

test('a card shows the categories and keywords that fit in one line, also above a node', async ({ page, bridge }) => {
  const keywords = ['blockchain', 'client', ...Array.from({ length: 40 }, (_, index) => `keyword-${index}`)];
  await register(bridge, { categories: ['Blockchain'], keywords });
  await register(bridge, { name: 'none.dnp.dappnode.eth', categories: [], keywords: [] });
  await register(bridge, { name: 'node.dnp.dappnode.eth', chain: 'ethereum', keywords: ['quiet'] });
  const categories = ['A category that is longer than any card is wide, and of which nothing is cut off', 'Storage'];
  await register(bridge, { name: 'wide.dnp.dappnode.eth', chain: 'ethereum', categories });
  const packages = new Packages(page);
  await packages.open();
  const card = packages.card(GETH);
  const line = card.getByText('Blockchain', { exact: true });
  await expect(card.getByText('client', { exact: true })).toBeInViewport();
  await expect(card.getByText('keyword-39')).not.toBeInViewport();
  await expect(card.getByText('blockchain', { exact: true })).toHaveCount(0);
  const top = async (one: typeof line) => (await one.boundingBox())?.y ?? NaN;
  const apart = async (one: typeof line, other: typeof line) => Math.abs((await top(one)) - (await top(other)));
  await expect.poll(() => apart(card.getByText('client', { exact: true }), line)).toBe(0);

  const node = packages.card('node.dnp.dappnode.eth');
  const tag = node.getByText('Blockchain', { exact: true });
  await expect(tag).toBeInViewport();
  await expect.poll(() => apart(tag, node.getByText('quiet'))).toBe(0);
  const wide = packages.card('wide.dnp.dappnode.eth');
  await expect(wide.getByText('A category')).toBeInViewport();
  await expect(wide.getByText('Storage')).not.toBeInViewport();
  const heights = () => packages.cards.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  await expect.poll(async () => new Set(await heights()).size).toBe(1);
});
