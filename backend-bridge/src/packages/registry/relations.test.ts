import { describe, expect, test } from 'vitest';
import { readTargets, readTargetsText } from './relations.ts';

const NAME = 'geth.example.eth';
const of = (...targets: unknown[]) => readTargets([{ targets }], NAME);

describe('a target', () => {
  test.each(['geth:6060', 'geth.dappnode:6060', '172.33.1.2:9100', '[::1]:9100', 'a_b.c-d:1', 'geth.dappnode.:65535'])(
    '%s is kept',
    (target) => expect(of(target)).toEqual({ groups: [{ targets: [target], labels: { package: NAME } }], mistakes: [] })
  );
  test.each([
    'geth',
    'geth:',
    ':6060',
    'geth:0',
    'geth:65536',
    'geth:port',
    'http://geth:6060',
    'geth:6060/metrics',
    'user@geth:6060',
    'ge th:6060',
    'geth\n:6060',
    'geth:6060\n',
    '-geth:6060',
    `${'a'.repeat(256)}:1`,
    '',
    1,
    null,
    ['geth:6060'],
  ])('%j is ignored and reported', (target) => {
    const { groups, mistakes } = of(target, 'good:1');
    expect(groups).toEqual([{ targets: ['good:1'], labels: { package: NAME } }]);
    expect(mistakes).toEqual([{ path: [0, 'targets', 0], message: expect.stringContaining('host:port') }]);
  });
});

describe('labels', () => {
  const labelled = (labels: unknown) => readTargets([{ targets: ['a:1'], labels }], NAME);
  test('are kept, and the label package is added if missing', () => {
    expect(labelled({ job: 'geth', __metrics_path__: '/debug/metrics' }).groups[0]?.labels).toEqual({
      package: NAME,
      job: 'geth',
      __metrics_path__: '/debug/metrics',
    });
    expect(labelled({ package: 'other' }).groups[0]?.labels).toEqual({ package: 'other' });
  });
  test.each([{ 'a-b': 'x' }, { '1a': 'x' }, { '': 'x' }, { a: 1 }, { a: null }, { a: '\ud800' }])(
    '%j: invalid labels are ignored and reported',
    (labels) => {
      const { groups, mistakes } = labelled({ good: 'x', ...labels });
      expect(groups[0]?.labels).toEqual({ package: NAME, good: 'x' });
      expect(mistakes).toMatchObject([{ path: [0, 'labels', Object.keys(labels)[0]] }]);
    }
  );
  test.each([null, 'x', ['x']])('%j is not an object', (labels) => {
    expect(labelled(labels)).toMatchObject({
      groups: [{ labels: { package: NAME } }],
      mistakes: [{ path: [0, 'labels'] }],
    });
  });
  test('__proto__ is not a label', () => {
    expect(readTargetsText('[{"targets":["a:1"],"labels":{"__proto__":"x"}}]', NAME).groups[0]?.labels).toEqual({
      package: NAME,
    });
  });
});

describe('the list', () => {
  test.each([null, {}, 'x', 1, undefined])('%j is not a list', (given) =>
    expect(readTargets(given, NAME)).toMatchObject({ groups: [], mistakes: [{ path: [] }] })
  );
  test.each([null, 'x', {}, { targets: 'a:1' }, []])('%j is not a group; others are kept', (group) => {
    const { groups, mistakes } = readTargets([group, { targets: ['a:1'] }], NAME);
    expect(groups).toHaveLength(1);
    expect(mistakes).toMatchObject([{ path: [0] }]);
  });
  test('a group without valid targets is omitted', () => {
    expect(readTargets([{ targets: [] }, { targets: ['bad'] }], NAME).groups).toEqual([]);
  });
  test('a file may start with a byte order mark', () => {
    expect(readTargetsText('\ufeff[{"targets":["a:1"]}]', NAME).groups).toHaveLength(1);
  });
  test('a file that is not JSON is reported', () => {
    expect(readTargetsText('targets:', NAME).mistakes).toEqual([{ path: [], message: 'The file is not valid JSON.' }]);
  });
});
