import { expect, test } from 'vitest';
import { nearest } from './source/messages.ts';

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

test.each(['', 'x', 'senders', 'categorically', 'a'.repeat(10_000)])('%s has no similar word', (word) => {
  expect(nearest(word, MEMBERS)).toBeUndefined();
});
