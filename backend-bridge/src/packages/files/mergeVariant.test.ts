import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mergeComposes, mergeManifests } from './mergeVariant.ts';

describe('manifests', () => {
  test.each([
    ['members are added and replaced', '{"a": 1, "b": 2}', '{"b": 3, "c": 4}', { a: 1, b: 3, c: 4 }],
    [
      'objects are merged',
      '{"links": {"ui": "x", "api": "y"}}',
      '{"links": {"api": "z"}}',
      { links: { ui: 'x', api: 'z' } },
    ],
    ['lists are replaced', '{"a": [1, 2]}', '{"a": [3]}', { a: [3] }],
    ['an object takes the place of a text', '{"chain": "x"}', '{"chain": {"driver": "y"}}', { chain: { driver: 'y' } }],
    ['a byte order mark is ignored', '\uFEFF{"a": 1}', '{}', { a: 1 }],
  ])('%s', (_, root, variant, expected) => expect(JSON.parse(mergeManifests(root, variant) ?? '')).toEqual(expected));

  test('__proto__ is an ordinary member', () => {
    const merged = mergeManifests('{"__proto__": {"a": 1}}', '{"__proto__": {"b": 2}}');
    expect(merged).toBe(JSON.stringify(JSON.parse('{"__proto__": {"a": 1, "b": 2}}'), null, 2));
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test.each([
    ['{', '{}'],
    ['{}', '[]'],
    ['{}', 'null'],
    ['{}', `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('%.20s under %.20s cannot be merged', (root, variant) => expect(mergeManifests(root, variant)).toBeUndefined());
});

describe('compose files', () => {
  test('services are merged, in the order of the root; variables by name, in either form', () => {
    const merged = mergeComposes(
      'services:\n  a:\n    environment: [X=1, Y]\n    ports: ["1"]\n  b: {}\n',
      'services:\n  c: {}\n  a:\n    environment: {X: 2, Z: "3=4"}\n    ports: ["2"]\n'
    );
    const { services } = parse(merged ?? '') as { services: Record<string, unknown> };
    expect(Object.keys(services)).toEqual(['a', 'b', 'c']);
    expect(services.a).toEqual({ environment: { X: 2, Y: null, Z: '3=4' }, ports: ['2'] });
  });

  test.each([
    ['[', 'services: {}'],
    ['services: {}', 'x'],
    ['services: {}', ''],
  ])('%s under %s cannot be merged', (root, variant) => expect(mergeComposes(root, variant)).toBeUndefined());
});
