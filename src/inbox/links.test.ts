import { expect, it } from 'vitest';
import { splitLinks } from './links';

it('finds links, and leaves the punctuation after them', () => {
  expect(splitLinks('See https://example.org/a?b=1, or (http://x.test/y).')).toEqual([
    { text: 'See ' },
    { text: 'https://example.org/a?b=1', href: 'https://example.org/a?b=1' },
    { text: ', or (' },
    { text: 'http://x.test/y', href: 'http://x.test/y' },
    { text: ').' },
  ]);
});

it.each(['javascript:alert(1)', 'no link', 'https://', ''])('%j has none', (text) => {
  expect(splitLinks(text).every(({ href }) => href === undefined)).toBe(true);
});
