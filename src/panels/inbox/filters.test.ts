import { describe, expect, it } from 'vitest';
import { EMPTY_VIEW, writeView } from '../../inbox/view';
import { expand, toFilters, toView, type Replace } from './filters';
import { DEFAULTS } from './options';

const VALUES: Record<string, string | string[]> = {
  $one: 'geth',
  $many: ['geth', 'monero'],
  $all: '$__all',
  $pattern: '.*',
};
const replace: Replace = (text, _scoped, format) => {
  const value = VALUES[text];
  return value === undefined ? text : format(value);
};
const RANGE = { from: '2026-11-21T04:00:00.000Z', to: '2026-11-21T10:00:00.000Z' };

describe('variables', () => {
  it.each([
    [['bitcoin'], ['bitcoin']],
    [['$one'], ['geth']],
    [
      ['$many', 'geth'],
      ['geth', 'monero'],
    ],
    [['$all'], []],
    [['$pattern', 'geth'], []],
    [['$unknown'], ['$unknown']],
    [[], []],
  ])('%j become %j', (words, expanded) => {
    expect(expand(words, replace)).toEqual(expanded);
  });
});

describe('filters', () => {
  it('include all open threads, and others within the time range', () => {
    expect(toFilters(DEFAULTS, RANGE, replace)).toEqual({
      open: { to: RANGE.to, open: 'true' },
      others: { ...RANGE, open: 'false' },
    });
  });

  it('a range that ends now has no end', () => {
    const { open, others } = toFilters(DEFAULTS, { from: RANGE.from }, replace);
    expect(open.to).toBeUndefined();
    expect(others).toEqual({ from: RANGE.from, open: 'false' });
  });

  it('limit open threads to the time range if they are not kept', () => {
    expect(toFilters({ ...DEFAULTS, keepOpen: false }, RANGE, replace).open).toEqual({ ...RANGE, open: 'true' });
  });

  it('ignore the time range if it is turned off', () => {
    expect(toFilters({ ...DEFAULTS, timeRange: false }, RANGE, replace)).toEqual({
      open: { open: 'true' },
      others: { open: 'false' },
    });
  });

  it('apply the options, and only unread or open notifications', () => {
    const options = { ...DEFAULTS, dnpName: ['$many'], category: ['hardware'], priority: ['high' as const] };
    const words = { dnpName: ['geth', 'monero'], category: ['hardware'], priority: ['high'] };
    expect(toFilters({ ...options, show: 'unread', timeRange: false }, RANGE, replace)).toEqual({
      open: { ...words, open: 'true', read: 'false' },
      others: { ...words, open: 'false', read: 'false' },
    });
    expect(toFilters({ ...options, show: 'open' }, RANGE, replace).others).toBeUndefined();
  });
});

it('links to the page with the same filters', () => {
  const inboxSearch = (options: typeof DEFAULTS) =>
    writeView({ ...EMPTY_VIEW, ...toView(options, replace) }).toString();
  expect(inboxSearch(DEFAULTS)).toBe('');
  expect(inboxSearch({ ...DEFAULTS, show: 'open', dnpName: ['$one'], priority: ['critical'] })).toBe(
    'tab=open&dnpName=geth&priority=critical'
  );
});
