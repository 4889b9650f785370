import { describe, expect, it } from 'vitest';
import { categoriesOf, fitting, search } from './filter';
import { anEndpoint, aPackage } from './thresholds.testing';

const geth = aPackage({
  dnpName: 'geth.dnp.dappnode.eth',
  endpoints: [
    anEndpoint({ correlationId: 'geth-sync', title: 'Node synced', description: '', category: 'ethereum' }),
    anEndpoint({ correlationId: 'geth-peers', title: 'Élan of peers', category: 'ethereum', description: 'too few' }),
  ],
});
const packages = [aPackage(), geth];

const found = (q: string) =>
  search(packages, q).map(({ one, endpoints }) => [one.dnpName.split('.')[0], endpoints.length]);

describe('the search', () => {
  it.each([
    [
      '',
      [
        ['dms', 2],
        ['geth', 2],
      ],
    ],
    [
      '  ',
      [
        ['dms', 2],
        ['geth', 2],
      ],
    ],
    ['GETH', [['geth', 2]]],
    ['geth peers', [['geth', 1]]],
    ['peers geth', [['geth', 1]]],
    ['élan', [['geth', 1]]],
    ['few', [['geth', 1]]],
    ['dms-memory', [['dms', 1]]],
    ['hardware', [['dms', 2]]],
    ['usage', [['dms', 2]]],
    ['usage ethereum', []],
    [
      'dappnode',
      [
        ['dms', 2],
        ['geth', 2],
      ],
    ],
  ])('%j', (q, expected) => expect(found(q)).toEqual(expected));

  it('keeps the identity of the endpoints if all are shown', () => {
    expect(search(packages, 'geth')[0]?.endpoints).toBe(geth.endpoints);
  });
});

it('lists each category once', () => {
  expect(categoriesOf([...packages, aPackage({ endpoints: [anEndpoint({ category: '' })] })])).toEqual([
    'ethereum',
    'hardware',
  ]);
});

describe('number of packages that fit', () => {
  const shown = search(packages, '');
  const open = () => true;
  it.each([
    [6, 2],
    [5, 1],
    [3, 1],
    [0, 1],
  ])('%d rows: %d open packages of three rows each', (rows, count) => expect(fitting(shown, rows, open)).toBe(count));

  it('a collapsed package takes one row', () => expect(fitting(shown, 2, () => false)).toBe(2));
});
