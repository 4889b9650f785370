import { describe, expect, it } from 'vitest';
import {
  FIRST_ROWS,
  flatten,
  holdOrder,
  hungryGroups,
  MORE_ROWS,
  withLeftovers,
  type Item,
  countArrival,
} from './flat';
import type { Group } from './grouping';
import { addFirstPage, noRows } from './rows';
import { aGroup, aNotification, timeOf } from './inbox.testing';

const asCategory = ({ value: category, by: _, ...counts }: Group) => ({ category, ...counts });
const page = (count: number, category = 'hardware') =>
  Array.from({ length: count }, (_, index) => aNotification({ id: 1000 - index, category }));
const loaded = (count: number, limit = 1000) => addFirstPage(noRows(['any'], false), 'any', page(count), limit);
const none = { folded: new Set<string>(), wanted: new Map<string, number>(), exact: true };
const types = (items: Item[]) => items.map(({ type }) => type);
const two = [aGroup({ count: 200 }), aGroup({ value: 'far', count: 7 })];

describe('the flat list', () => {
  it('shows the first rows of each group and the number remaining', () => {
    const items = flatten({ groups: two, rows: loaded(200), ...none });
    expect(types(items).slice(0, FIRST_ROWS + 2)).toEqual(['header', ...Array<string>(FIRST_ROWS).fill('row'), 'more']);
    expect(items[FIRST_ROWS + 1]).toMatchObject({ next: MORE_ROWS, left: 190 });
  });

  it('shows every open thread of a group first, up to a limit', () => {
    const items = flatten({
      groups: [aGroup({ count: 200, open: 20 }), aGroup({ value: 'far' })],
      rows: loaded(200),
      ...none,
    });
    expect(items.filter(({ type, group }) => type === 'row' && group.value === 'hardware')).toHaveLength(20);
  });

  it('has placeholders for rows that are not loaded', () => {
    const items = flatten({ groups: two, rows: loaded(10, 10), ...none });
    expect(items.filter(({ type, group }) => type === 'loading' && group.value === 'far')).toHaveLength(7);
    expect(hungryGroups(items).map(({ value }) => value)).toEqual(['far']);
  });

  it('requests more rows when more are wanted than loaded', () => {
    const items = flatten({ groups: two, rows: loaded(12, 12), ...none, wanted: new Map([['hardware', 60]]) });
    expect(hungryGroups(items).map(({ value }) => value)).toEqual(['hardware', 'far']);
  });

  it('does not rely on the count of a truncated search', () => {
    const items = flatten({ groups: [aGroup({ count: 10 })], rows: loaded(10, 10), ...none, exact: false });
    expect(types(items)).toContain('loading');
  });

  it('folds a group into its header', () => {
    const items = flatten({ groups: two, rows: loaded(12), ...none, folded: new Set(['hardware', 'far']) });
    expect(types(items)).toEqual(['header', 'header']);
  });

  it('keeps the header of a group whose rows no longer match but are still shown', () => {
    const rows = addFirstPage(noRows(['any'], false), 'any', page(1, 'read'), 10);
    expect(withLeftovers([], rows)).toMatchObject([{ value: 'read', count: 1, unseen: 0 }]);
  });

  it('has unique keys, whatever is loaded', () => {
    const keys = flatten({ groups: two, rows: loaded(30, 30), ...none }).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the order of groups', () => {
  it('is stable, with new groups last', () => {
    const groups = ['new', 'a', 'b'].map((value) => aGroup({ value }));
    expect(holdOrder(groups, ['b', 'a']).map(({ value }) => value)).toEqual(['b', 'a', 'new']);
  });

  it('puts open groups first by priority, then unread ones, then the newest', () => {
    const facets = { total: 3, unseen: 0, open: 1, exact: true, lastId: 9, packages: [] };
    const groups = [
      aGroup({ value: 'old' }),
      aGroup({ value: 'high', open: 1, openPriority: 'high' }),
      aGroup({ value: 'unread', unseen: 2 }),
    ];
    const opened = { state: 'open' as const, openedAt: timeOf(9) };
    const alarm = aNotification({ id: 9, category: 'alarm', priority: 'critical', thread: opened });
    const counted = countArrival({ ...facets, categories: groups.map(asCategory) }, alarm, true);
    expect(counted.categories.map(({ category }) => category)).toEqual(['alarm', 'high', 'unread', 'old']);
    expect(counted).toMatchObject({ total: 4, unseen: 1, open: 2 });
  });
});

it('another arrival in an open and unread thread changes no count', () => {
  const facets = {
    total: 1,
    unseen: 1,
    open: 1,
    exact: true,
    lastId: 9,
    packages: [],
    categories: [asCategory(aGroup({ unseen: 1, open: 1, openPriority: 'low' }))],
  };
  const again = aNotification({ id: 9, thread: { state: 'open', count: 3, unseen: 3, openedAt: timeOf(2) } });
  expect(countArrival(facets, again, true)).toMatchObject({ total: 1, unseen: 1, open: 1 });
});

it('an arrival counts in the group of its label too', () => {
  const counts = { total: 1, unseen: 1, open: 0, exact: true, lastId: 1, packages: [], categories: [] };
  const groups = [{ value: '', count: 1, unseen: 1, open: 0, openPriority: null }];
  const opened = { state: 'open' as const, openedAt: timeOf(2) };
  const arrival = aNotification({ id: 2, labels: { team: 'a' }, priority: 'high', thread: opened });
  const counted = countArrival({ ...counts, groups }, arrival, true, 'team');
  expect(counted.groups).toEqual([{ value: 'a', count: 1, unseen: 1, open: 1, openPriority: 'high' }, ...groups]);
  expect(countArrival(counts, arrival, true, 'team').groups).toBeUndefined();
});
