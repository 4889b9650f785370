import { expect, test } from 'vitest';
import { nearest } from './messages.ts';

const MEMBERS = ['packages', 'path', 'categories', 'chain', 'chains'];

test.each([
  ['pakages', 'packages'],
  ['packgaes', 'packages'],
  ['Path', 'path'],
  ['pathh', 'path'],
  ['categoris', 'categories'],
  ['chain', 'chain'],
  ['chanis', 'chains'],
])('%s may have been %s', (word, meant) => {
  expect(nearest(word, MEMBERS)).toBe(meant);
});

test.each(['', 'x', 'senders', 'categorically', 'a'.repeat(10_000)])('%s is like none of them', (word) => {
  expect(nearest(word, MEMBERS)).toBeUndefined();
});
