import { expect, it } from 'vitest';
import { EMPTY_VIEW } from '../view';
import { isShown, nameError, parseViews, queryOf, remove, rename, save, setDefault, viewOf } from './savedViews';

const named = (...names: string[]) => names.map((name) => ({ name, query: `q=${name}` }));
const names = (views: Array<{ name: string }>) => views.map(({ name }) => name);

it('a view has all filters of the page, without the open notification', () => {
  const range = { from: 'now-7d', to: 'now' };
  const filters = { tab: 'open', q: 'disk', range, categories: ['hardware'], matchers: 'severity="a,b"' } as const;
  const view = { ...EMPTY_VIEW, ...filters, categories: [...filters.categories] };
  const saved = { name: 'Disks', query: queryOf({ ...view, id: 7 }) };
  expect(viewOf(saved)).toEqual(view);
  expect(isShown(saved, { ...view, id: 7 })).toBe(true);
  expect(isShown(saved, { ...view, tab: 'all' })).toBe(false);
});

it('is saved under its name, by alphabet', () => {
  expect(names(save('b', 'tab=open', false)(named('c', 'a')))).toEqual(['a', 'b', 'c']);
});

it('replaces a view only if the user knows, and keeps it as the default', () => {
  const known = setDefault('a')(named('a'));
  expect(() => save('a', 'tab=open', false)(known)).toThrow('already exists');
  expect(save('a', 'tab=open', true)(known)).toEqual([{ name: 'a', query: 'tab=open', isDefault: true }]);
});

it('a rename replaces no other view', () => {
  const known = setDefault('a')(named('a', 'b'));
  expect(rename('a', 'c')(known)).toEqual([
    { name: 'b', query: 'q=b' },
    { name: 'c', query: 'q=a', isDefault: true },
  ]);
  expect(rename('a', 'a')(known)).toEqual(known);
  expect(() => rename('a', 'b')(known)).toThrow('already exists');
  expect(() => rename('deleted', 'c')(known)).toThrow('deleted in another tab');
});

it('removes one', () => {
  expect(names(remove('a')(named('a', 'b')))).toEqual(['b']);
});

it('has one default, or none', () => {
  const defaults = (views: ReturnType<typeof parseViews>) => names(views.filter(({ isDefault }) => isDefault));
  const changed = setDefault('b')(setDefault('a')(named('a', 'b')));
  expect(defaults(changed)).toEqual(['b']);
  expect(defaults(setDefault(undefined)(changed))).toEqual([]);
});

it('counts an emoji as one character', () => {
  expect(nameError([], '🔔'.repeat(100))).toBeUndefined();
  expect(nameError([], 'a'.repeat(300))).toBe('300 characters; at most 100 are allowed.');
});

it('rejects the 51st view, but not a change of one of 50', () => {
  const full = Array.from({ length: 50 }, (_, index) => ({ name: String(index), query: '' }));
  expect(nameError(full, 'new')).toMatch(/^You have 50 views/);
  expect(() => save('new', '', false)(full)).toThrow('You have 50 views');
  expect(save('7', 'tab=open', true)(full)).toHaveLength(50);
  expect(nameError(full, 'new', '7')).toBeUndefined();
});

it('does not read what it does not know', () => {
  expect(parseViews(undefined)).toEqual([]);
  expect(() => parseViews('{"version":2}')).toThrow('unknown format');
  expect(() => parseViews('[')).toThrow('unknown format');
});
