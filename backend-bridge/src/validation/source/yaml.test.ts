import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { plainValue } from './source.ts';
import { readYaml } from './yaml.ts';

const value = (text: string): unknown => {
  const { root, problems } = readYaml(text);
  expect(problems).toEqual([]);
  return root && plainValue(root);
};

describe('parses', () => {
  test.each<[string, string, unknown]>([
    ['YAML 1.2', 'a: yes\nb: 0x10\nc: 1.50\nd: ~\ne: [1, "2"]\n', { a: 'yes', b: 16, c: 1.5, d: null, e: [1, '2'] }],
    ['JSON with tabs', '{\n\t"a": [1,\n\t2],\t"b": "\\u00e9\\/"}', { a: [1, 2], b: 'é/' }],
    ['a byte order mark and CRLF', '\uFEFFa: 1\r\nb: x\r\n', { a: 1, b: 'x' }],
    ['anchors', 'a: &x {n: 1}\nb: *x\n', { a: { n: 1 }, b: { n: 1 } }],
    [
      'merged maps, under what a map has of its own',
      'a: &x {n: 1, m: 2}\nb: &y {o: 3}\nc:\n  <<: [*x, *y]\n  n: 9\n',
      {
        a: { n: 1, m: 2 },
        b: { o: 3 },
        c: { n: 9, m: 2, o: 3 },
      },
    ],
    ['a member named __proto__', '__proto__: 1\n', JSON.parse('{"__proto__": 1}')],
    ['nothing', '# only a comment\n', undefined],
  ])('%s', (_, text, expected) => expect(value(text)).toEqual(expected));

  test('values and keys have positions', () => {
    const text = 'a: 1\nlist:\n  - x: "y z"\n    w:\n';
    const { root } = readYaml(text);
    const list = root?.kind === 'map' ? root.members.get('list') : undefined;
    const item = list?.node.kind === 'list' ? list.node.items[0] : undefined;
    const [x, w] = item?.kind === 'map' ? [item.members.get('x'), item.members.get('w')] : [];
    expect(text.slice(list?.key.start, list?.key.end)).toBe('list');
    expect(text.slice(x?.node.start, x?.node.end)).toBe('"y z"');
    expect(text.slice(0, w?.node.start)).toMatch(/w:?$/);
  });
});

describe('rejects', () => {
  test.each([
    ['a quote in a quoted string', 'a: 1\nb: "x""\n', 'yaml-syntax', 'The value ends before this', 9],
    ['a colon in a string', 'a: b: c\n', 'yaml-syntax', 'Quote strings that contain a colon', 0],
    ['a duplicate key', 'a: 1\na: 2\n', 'yaml-duplicate', '“a” is defined twice', 5],
    ['a second document', 'a: 1\n---\nb: 2\n', 'yaml-documents', 'Only the first one is used', 9],
    ['a text that is too long', `a: ${'x'.repeat(MAX_FILE_LENGTH)}`, 'yaml-limit', 'characters', 0],
    ['a text that is nested too deep', `${'['.repeat(500_000)}`, 'yaml-limit', 'levels of nesting', 64],
    ['deep maps', '{"a":'.repeat(100_000), 'yaml-limit', 'levels of nesting', 0],
    [
      'deep blocks',
      Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
      'yaml-limit',
      'levels of nesting',
      0,
    ],
    ['half a million tokens', 'x: 1\n'.repeat(150_000), 'yaml-limit', 'tokens', 0],
    ['endless documents', '---\n'.repeat(200_000), 'yaml-limit', 'tokens', 0],
    ['an alias of nothing', 'a: *nobody\n', 'yaml-limit', 'is not defined before its use', 3],
    ['an alias of itself', 'a: &x [*x]\n', 'yaml-limit', 'contains itself', 7],
    ['a key that is a list', '[a, b]: 1\n', 'yaml-limit', 'Keys must be strings', 0],
  ])('%s', (_, text, rule, message, start) => {
    const [problem] = readYaml(text).problems;
    expect([problem?.rule, problem?.message]).toEqual([rule, expect.stringContaining(message)]);
    expect(problem?.start).toBeGreaterThanOrEqual(start);
  });

  test('aliases of aliases (a billion laughs)', () => {
    const lines = Array.from({ length: 9 }, (_, level) => {
      const inside = level === 0 ? 'lol' : Array.from({ length: 10 }, () => `*l${level - 1}`).join(', ');
      return `l${level}: &l${level} [${inside}]`;
    });
    const { problems, root } = readYaml(lines.join('\n'));
    expect([problems[0]?.message, root]).toEqual([expect.stringContaining('repeated by aliases'), undefined]);
  });

  test('reports errors in the first five lines with one', () => {
    const { problems } = readYaml('a: "x"y\n'.repeat(50));
    expect(problems).toHaveLength(5);
  });
});

test('any text is parsed or rejected, with positions inside it', () => {
  const pieces = fc.constantFrom(
    'a',
    ': ',
    '\n',
    '  ',
    '- ',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    '&x',
    '*x',
    '<<: ',
    '---\n',
    '|\n',
    '!!int ',
    '#',
    '\t',
    '\r\n',
    '? ',
    '%YAML 1.1\n'
  );
  const noise = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 30 }).map((all) => all.join(''))
  );
  fc.assert(
    fc.property(noise, (text) => {
      const { problems, root } = readYaml(text);
      expect(problems.every(({ start, end }) => start >= 0 && start <= end && end <= text.length + 1)).toBe(true);
      if (root) {
        JSON.stringify(plainValue(root));
      }
    }),
    { numRuns: 2000 }
  );
});
