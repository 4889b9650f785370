import { expect, it } from 'vitest';
import type { PackageLink } from '@nodebell/contract/package.ts';
import { countThatFit, allLinks, findLinks } from './packageLinks';
import { aSummary } from '../packages/packages.testing';

const known = (kind: 'ui' | 'api' | 'homepage' | 'report'): PackageLink => ({ key: kind, kind, url: '/x' });
const own = (key: string): PackageLink => ({ key, kind: 'other', url: '/x' });

it.each([
  ['three usual ones', [known('api'), known('homepage'), known('report')], 3],
  ['never more than three', [known('ui'), own('a'), own('b'), own('c')], 3],
  ['those before one that does not fit', [known('api'), known('homepage'), own('Arango database')], 2],
  ['one that is too long by itself', [own('a'.repeat(99)), known('ui')], 1],
  ['none', [], 0],
])('shows %s', (_, links, expected) => {
  expect(countThatFit(links, 40)).toBe(expected);
});

const PACKAGES = [
  aSummary({
    dnpName: 'monero.dnp.dappnode.eth',
    links: [
      { key: 'homepage', kind: 'homepage', url: 'https://monero.example' },
      { key: 'ui', kind: 'ui', url: 'http://monero.dappnode' },
      // not to open, but to copy on the page of the package
      { key: 'websocket', kind: 'other', url: 'ws://monero.dappnode:8546', copyOnly: true },
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
