import { expect, it } from 'vitest';
import { readProvisioningFile } from './readFile.ts';
import { findingAt, readSource, type Source } from './source.ts';

const BASE = { rule: 'r', verdict: 'error', title: 't', detail: 'd' } as const;

it.each<[string, string, number, string]>([
  ['plain', 'a: one + two', 4, '1:8'],
  ['in quotes', "a: 'one + two'", 4, '1:9'],
  ['literal', 'a: |\n  one\n    + two\nb: 1\n', 6, '3:5'],
  ['literal, after blank lines', 'x:\n  a: |-\n\n    one\n\n    + two\n', 6, '6:5'],
  ['literal, its end', 'a: |\n  one\n', 3, '2:6'],
  ['folded: its beginning', 'a: >\n  one\n  + two\n', 4, '1:4'],
  ['with escapes: its beginning', 'a: "one\\n+ two"', 4, '1:4'],
])('a character of a text, %s', (_name, text, character, place) => {
  const source = readSource('f', text) as Source;
  const path = text.startsWith('x') ? ['x', 'a'] : ['a'];
  const { line, column } = findingAt(source, path, BASE, character);
  expect(`${line}:${column}`).toBe(place);
});

it('variables are not replaced in mappings, where $ is of JSONata', () => {
  const text = "apiVersion: 1\nmappings: [{ name: m, expression: '$sum($$.n) & ${x}' }]\ncategories: { a: true }\n";
  const { findings, read } = readProvisioningFile('f', text, {});
  expect([findings, read?.value.mappings]).toEqual([[], [{ name: 'm', expression: '$sum($$.n) & ${x}' }]]);
});
