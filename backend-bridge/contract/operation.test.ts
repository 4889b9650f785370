import { expect, it } from 'vitest';
import { searchOf } from './operation.ts';

it('repeats names for lists and omits undefined and empty values', () => {
  expect(searchOf({ category: ['a b', 'c&d'], q: undefined, from: '', limit: 5 })).toBe(
    '?category=a+b&category=c%26d&limit=5'
  );
  expect(searchOf({})).toBe('');
  expect(searchOf({ lastEventId: 0 })).toBe('?lastEventId=0');
});
