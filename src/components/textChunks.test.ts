import { expect, it } from 'vitest';
import { textChunks } from './textChunks';

it('a short text is one chunk', () => {
  expect(textChunks('one\ntwo')).toEqual(['one\ntwo']);
  expect(textChunks('')).toEqual([]);
});

it('a long one is cut at line breaks, which the blocks stand for', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
  const chunks = textChunks(text);
  expect(chunks.length).toBeGreaterThan(5);
  expect(chunks.join('\n')).toBe(text);
});

it('without line breaks it is cut between words, and without words between characters', () => {
  const words = 'word '.repeat(10_000);
  expect(textChunks(words).every((chunk) => chunk.endsWith(' '))).toBe(true);
  expect(textChunks(words).join('')).toBe(words);
  const emoji = `x${'🦊'.repeat(20_000)}`;
  expect(textChunks(emoji).every((chunk) => chunk.isWellFormed())).toBe(true);
  expect(textChunks(emoji).join('')).toBe(emoji);
});
