import { expect, test } from 'vitest';
import { createFairCache } from './fairCache.ts';

test('holds what each owner has set, apart from the same key of others', () => {
  const cache = createFairCache<number>(3);
  cache.set('a', 'k', 1);
  cache.set('b', 'k', 2);
  cache.set('a', 'k', 3);
  expect([cache.get('a', 'k'), cache.get('b', 'k'), cache.get('c', 'k'), cache.size]).toEqual([3, 2, undefined, 2]);
});

test('beyond the bound the owner with the most entries loses its least recently used one', () => {
  const cache = createFairCache<number>(4);
  cache.set('modest', 'old', 0);
  for (let count = 0; count < 100; count += 1) {
    cache.set('greedy', `k${count}`, count);
  }
  expect([cache.get('modest', 'old'), cache.get('greedy', 'k99'), cache.get('greedy', 'k96')]).toEqual([
    0,
    99,
    undefined,
  ]);
  expect(cache.size).toBe(4);
});

test('alone an owner has the whole room', () => {
  const cache = createFairCache<number>(3);
  ['a', 'b', 'c'].forEach((key, index) => cache.set('one', key, index));
  cache.get('one', 'a');
  cache.set('one', 'd', 3);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get('one', key))).toEqual([0, undefined, 2, 3]);
});

test('owners without entries are removed', () => {
  const cache = createFairCache<number>(2);
  ['a', 'b', 'c', 'd'].forEach((owner) => cache.set(owner, 'k', 1));
  expect([cache.size, ['a', 'b', 'c', 'd'].filter((owner) => cache.get(owner, 'k') === 1)]).toEqual([2, ['c', 'd']]);
});
