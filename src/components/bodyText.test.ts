import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutBody, plainText, textChunks } from './bodyText';

it('leaves a short body unchanged', () => {
  expect(cutBody('word '.repeat(100))).toBe('word '.repeat(100));
});

it('cuts a long body between words and reports the cut', () => {
  const cut = cutBody('word '.repeat(2000));
  expect(cut.length).toBeLessThan(2000);
  expect(cut).toMatch(/word …$/);
});

it('never cuts an emoji in half', () => {
  expect(cutBody(`a${'🎉'.repeat(5000)}`).isWellFormed()).toBe(true);
});

it('closes a code block that it cuts', () => {
  const cut = cutBody(`\`\`\`\n${'line\n'.repeat(2000)}\`\`\``);
  expect(cut.match(/^```/gm)).toHaveLength(2);
});

it.each([
  ['Only **4.6 GB** of _disk_ left', 'Only 4.6 GB of disk left'],
  ['# Title\n\nText', 'Title Text'],
  ['- one\n- two\n1. three', 'one two three'],
  ['see [the page](https://example.org/a_b_c) now', 'see the page now'],
  ['![chart](https://example.org/x.png) shows', 'chart shows'],
  ['see [page](https://example.org/a_(b)) now', 'see page now'],
  ['run `ls -l` twice', 'run ls -l twice'],
  ['```sh\nls\n```', 'ls'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['5 < 6 and a \\* b', '5 < 6 and a * b'],
  ['**عربي** و _نص_', 'عربي و نص'],
  ['> quoted\n> text', 'quoted text'],
  ['- [x] done', 'done'],
])('%j', (markdown, plain) => expect(plainText(markdown)).toBe(plain));

it('is one trimmed line for any input', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(plainText(text)).toMatch(/^(\S(.*\S)?)?$/);
    })
  );
});

it('reads only the start of a long body', () => {
  expect(plainText('word '.repeat(100_000)).length).toBeLessThan(700);
});

it('a short text is one chunk', () => {
  expect(textChunks('one\ntwo')).toEqual(['one\ntwo']);
  expect(textChunks('')).toEqual([]);
});

it('cuts a long text at line breaks, which become blocks', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
  const chunks = textChunks(text);
  expect(chunks.length).toBeGreaterThan(5);
  expect(chunks.join('\n')).toBe(text);
});

it('cuts a text without line breaks between words, and without words between characters', () => {
  const words = 'word '.repeat(10_000);
  expect(textChunks(words).every((chunk) => chunk.endsWith(' '))).toBe(true);
  expect(textChunks(words).join('')).toBe(words);
  const emoji = `x${'🦊'.repeat(20_000)}`;
  expect(textChunks(emoji).every((chunk) => chunk.isWellFormed())).toBe(true);
  expect(textChunks(emoji).join('')).toBe(emoji);
});
