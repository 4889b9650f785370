/** Categories that differ by case are one. */
import { expect, it } from 'vitest';
import { NOTIFICATIONS, useBridge } from './support.ts';
import { endpointOf, PEERS, register } from './thresholds.testing.ts';

const bridge = useBridge();
const categories = () =>
  bridge().call<{ category: string; enabled: boolean; count: number }[]>('GET', '/api/v1/categories');

it('is received, counted, filtered and switched as one', async () => {
  await bridge().clear();
  for (const category of ['Ethereum', 'ethereum', 'ETHEREUM', 'Ñandú', 'ñandú']) {
    await bridge().send({ category, title: category });
  }
  expect(await bridge().titles('category=eTHEREUM')).toEqual(['ETHEREUM', 'ethereum', 'Ethereum']);
  expect(await bridge().titles('category=ethereum')).toHaveLength(3);
  const facets = await bridge().facets('category=Ethereum');
  expect([facets.total, facets.categories.map(({ category, count }) => [category, count])]).toEqual([
    3,
    expect.arrayContaining([
      ['ethereum', 3],
      ['ñandú', 2],
    ]),
  ]);
  expect(await bridge().call('GET', `${NOTIFICATIONS}/unseen`)).toMatchObject({
    byCategory: { ethereum: 3, ñandú: 2 },
  });
  await bridge().switchCategory('EthereuM', false);
  expect((await bridge().send({ category: 'eThereum' })).muted).toBe(true);
  expect((await categories()).filter(({ category }) => /ethereum/i.test(category))).toMatchObject([
    { category: 'ethereum', enabled: false, count: 4 },
  ]);
  await register(bridge(), { endpoints: [{ ...PEERS, group: 'Ethereum' }] });
  expect(await endpointOf(bridge(), 'geth-peers')).toMatchObject({ category: 'ethereum', mutedBy: ['category'] });
  const settings = { apiVersion: 1, categories: { ETHEREUM: true } };
  expect((await bridge().request('POST', '/api/v1/settings', { settings })).body).toMatchObject({ changed: 1 });
  expect((await bridge().send({ category: 'Ethereum' })).muted).toBe(false);
});
