import { expect, it } from 'vitest';
import { allLinks, findLinks } from './allLinks';
import { aSummary } from './testData';

const PACKAGES = [
  aSummary({
    dnpName: 'monero.dnp.dappnode.eth',
    links: [
      { key: 'homepage', kind: 'homepage', url: 'https://monero.example' },
      { key: 'ui', kind: 'ui', url: 'http://monero.dappnode' },
    ],
  }),
  aSummary({ dnpName: 'geth.dnp.dappnode.eth', links: [{ key: 'docs', kind: 'other', url: 'https://docs.example' }] }),
];
const of = (query: string) =>
  findLinks(allLinks(PACKAGES), query).map(({ dnpName, key }) => `${dnpName.split('.')[0]} ${key}`);

it('sorts packages by name and keeps the order of their links', () => {
  expect(of('')).toEqual(['geth docs', 'monero ui', 'monero homepage']);
});

it('matches each search term in package name, label or URL', () => {
  expect(of('MONERO open')).toEqual(['monero ui']);
  expect(of('docs.example')).toEqual(['geth docs']);
  expect(of('geth homepage')).toEqual([]);
});
