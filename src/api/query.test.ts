import { expect, it } from 'vitest';
import { toSearch } from './query';

it('repeats names for lists and omits undefined and empty values', () => {
  expect(toSearch({ category: ['a b', 'c&d'], q: undefined, from: '', limit: 5 })).toBe(
    '?category=a+b&category=c%26d&limit=5'
  );
  expect(toSearch({})).toBe('');
  expect(toSearch({ lastEventId: 0 })).toBe('?lastEventId=0');
});
