import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mergeComposes, mergeManifests, mergeNotifications } from './mergeVariant.ts';

describe('manifests', () => {
  test.each([
    ['members are added and replaced', '{"a": 1, "b": 2}', '{"b": 3, "c": 4}', { a: 1, b: 3, c: 4 }],
    [
      'objects are merged',
      '{"links": {"ui": "x", "api": "y"}}',
      '{"links": {"api": "z"}}',
      { links: { ui: 'x', api: 'z' } },
    ],
    [
      'lists are merged by index',
      '{"a": [1, 2, {"b": 1, "c": 2}]}',
      '{"a": [3, 2, {"c": 3}]}',
      { a: [3, 2, { b: 1, c: 3 }] },
    ],
    ['a longer list adds entries', '{"a": [1]}', '{"a": [3, 4]}', { a: [3, 4] }],
    ['an empty list changes nothing', '{"a": [1]}', '{"a": []}', { a: [1] }],
    ['a list takes the place of an object', '{"a": {"b": 1}}', '{"a": [3]}', { a: [3] }],
    ['members of an object replace entries of a list', '{"a": [1, 2]}', '{"a": {"1": 3, "b": 4}}', { a: [1, 3] }],
    ['null takes the place of anything', '{"a": [1]}', '{"a": null}', { a: null }],
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
  test('services are merged, in the order of the root; lists by index', () => {
    const merged = mergeComposes(
      'services:\n  a:\n    environment: [X=1, "Y"]\n    ports: ["1"]\n  b: {}\n',
      'services:\n  c: {}\n  a:\n    environment: [X=2]\n    ports: ["2"]\n'
    );
    const { services } = parse(merged ?? '') as { services: Record<string, unknown> };
    expect(Object.keys(services)).toEqual(['a', 'b', 'c']);
    expect(services.a).toEqual({ environment: ['X=2', 'Y'], ports: ['2'] });
  });

  test.each([
    ['[', 'services: {}'],
    ['services: {}', 'x'],
    ['services: {}', ''],
  ])('%s under %s cannot be merged', (root, variant) => expect(mergeComposes(root, variant)).toBeUndefined());
});

test('endpoints of notifications files are merged by index', () => {
  const merged = mergeNotifications(
    'endpoints:\n  - {name: a, url: http://a, conditions: ["[STATUS] == 200"]}\n',
    'endpoints:\n  - url: http://b\n  - name: c\ncustomEndpoints: [{name: d}]\n'
  );
  expect(parse(merged ?? '')).toEqual({
    endpoints: [{ name: 'a', url: 'http://b', conditions: ['[STATUS] == 200'] }, { name: 'c' }],
    customEndpoints: [{ name: 'd' }],
  });
});
