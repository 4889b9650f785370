import { describe, expect, it } from 'vitest';
import { filterPackages, optionsOf, readFilter, writeFilter, type PackageFilter } from './filter';
import { aSummary } from './packages.testing';

const ALL = { q: '', category: undefined, type: undefined };
const geth = aSummary();
const bitcoin = aSummary({
  dnpName: 'bitcoin.dnp.dappnode.eth',
  categories: ['Payment', 'Payment'],
  type: 'library',
  shortDescription: 'Élan of coins',
  keywords: [],
});
const shown = (change: Partial<PackageFilter>) =>
  filterPackages([geth, bitcoin], { ...ALL, ...change }).map((one) => one.dnpName);

describe('filterPackages', () => {
  it('matches every search term, ignoring case', () => {
    expect(shown({ q: '  ETHEREUM  go ' })).toEqual([geth.dnpName]);
    expect(shown({ q: 'élan' })).toEqual([bitcoin.dnpName]);
    expect(shown({ q: 'ethereum coins' })).toEqual([]);
    expect(shown({})).toHaveLength(2);
  });

  it('filters by category and type', () => {
    expect(shown({ category: 'Payment' })).toEqual([bitcoin.dnpName]);
    expect(shown({ type: 'service' })).toEqual([geth.dnpName]);
  });
});

it('counts each value once per package, sorted by name', () => {
  expect(optionsOf([bitcoin, geth, geth], (one) => one.categories)).toEqual([
    { value: 'Blockchain', count: 2 },
    { value: 'Payment', count: 1 },
  ]);
});

it('round-trips through the URL', () => {
  const filter = { q: 'a b', category: 'Payment', type: undefined };
  expect(readFilter(new URLSearchParams(writeFilter(filter)))).toEqual(filter);
  expect(writeFilter(ALL)).toEqual({});
});
