import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCategory, PRIORITIES, STATUSES } from '@nodebell/contract/notification.ts';
import {
  clearFilters,
  collapses,
  countFilters,
  EMPTY_VIEW,
  hasFilters,
  readView,
  showsThreads,
  TABS,
  writeView,
  type View,
} from './view';

const words = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 4 });
const anyAlert: fc.Arbitrary<View['alert']> = fc.oneof(
  fc.constant(undefined),
  fc.record({ fingerprint: fc.string({ minLength: 1 }) }),
  fc.record({ ruleUid: fc.tuple(fc.string({ minLength: 1 })), has: fc.array(fc.string({ minLength: 1 })) })
);
const filters = {
  tab: fc.constantFrom(...TABS),
  q: fc.string({ maxLength: 40 }),
  range: fc.constantFrom(
    undefined,
    { from: 'now-7d', to: 'now' },
    { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' }
  ),
  categories: words.map((all) => [...new Set(all.map(foldCategory))]),
  packages: words,
  nodes: fc.uniqueArray(fc.constantFrom('-', 'attic', 'attic/shed')),
  priorities: fc.subarray([...PRIORITIES]),
  statuses: fc.subarray([...STATUSES]),
  read: fc.constantFrom(undefined, 'read' as const, 'unread' as const),
  acknowledged: fc.option(fc.boolean(), { nil: undefined }),
  assignee: fc.option(fc.constantFrom('me' as const, 'none' as const), { nil: undefined }),
  snoozed: fc.boolean(),
  matchers: fc.constantFrom('', 'severity="critical", instance=~"node.*"'),
  groupBy: fc.constantFrom('', 'team', 'ünï "x"'),
  burst: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
};
const anyView: fc.Arbitrary<View> = fc.oneof(
  fc.record({ ...filters, id: fc.integer({ min: 1 }), alert: fc.constant(undefined) }),
  fc.record({ ...filters, id: fc.constant(undefined), alert: anyAlert })
);

describe('the view in the URL', () => {
  it('round-trips any text', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        expect(readView(new URLSearchParams(writeView(view).toString()))).toEqual(view);
      })
    );
  });

  it.each([
    [`fingerprint=c6eadffa33fcdf37`, { fingerprint: 'c6eadffa33fcdf37' }],
    [
      `ruleUid=r1&has=instance%3Da+b&has=device%3D%2Fdev%2Fsda`,
      { ruleUid: ['r1'], has: ['instance=a b', 'device=/dev/sda'] },
    ],
    ['has=instance%3Da', undefined],
    ['fingerprint=&ruleUid=', undefined],
    ['id=4&fingerprint=c6eadffa33fcdf37', undefined],
  ])('reads the alert of %s', (search, alert) => {
    expect(readView(new URLSearchParams(search)).alert).toEqual(alert);
  });

  it('is empty for the default view', () => {
    expect(writeView(EMPTY_VIEW).toString()).toBe('');
    expect(readView(new URLSearchParams(''))).toEqual(EMPTY_VIEW);
  });

  it('ignores unknown values', () => {
    const search = new URLSearchParams(
      'tab=x&priority=urgent&status=open&read=maybe&id=-3&from=yesterday&to=now&category='
    );
    expect(readView(search)).toEqual(EMPTY_VIEW);
  });

  it('reads categories in any case', () => {
    expect(readView(new URLSearchParams('category=Ethereum&category=ethereum')).categories).toEqual(['ethereum']);
  });

  it('keeps a relative range relative', () => {
    expect(readView(new URLSearchParams('from=now-7d&to=now')).range).toEqual({ from: 'now-7d', to: 'now' });
    expect(readView(new URLSearchParams('from=now-1d/d&to=now/d')).range).toEqual({ from: 'now-1d/d', to: 'now/d' });
  });
});

it('clearing filters keeps the tab, the groups and the open notification', () => {
  const kept = { ...EMPTY_VIEW, tab: 'open' as const, groupBy: 'team', id: 7 };
  expect(clearFilters({ ...kept, q: 'x', categories: ['a'] })).toEqual(kept);
});

it('does not count the search, nor the read state on the tab Unread', () => {
  expect(countFilters({ ...EMPTY_VIEW, q: 'x', categories: ['a', 'b'], read: 'read' })).toBe(2);
  expect(countFilters({ ...EMPTY_VIEW, tab: 'unread', read: 'read' })).toBe(0);
  expect(hasFilters({ ...EMPTY_VIEW, q: ' ' })).toBe(false);
});

it('a search shows single notifications, except on the tab Open', () => {
  expect(showsThreads({ ...EMPTY_VIEW, q: 'x' })).toBe(false);
  expect(showsThreads({ ...EMPTY_VIEW, q: 'x', tab: 'open' })).toBe(true);
  expect(showsThreads({ ...EMPTY_VIEW, tab: 'muted' })).toBe(false);
});

it('bursts have rows of their own, except by a label, in which their threads differ', () => {
  expect(collapses(EMPTY_VIEW)).toBe(true);
  expect(collapses({ ...EMPTY_VIEW, groupBy: 'instance' })).toBe(false);
});
