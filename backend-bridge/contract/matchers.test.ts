import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LIMITS } from './limits.ts';
import { compileRegex } from './matcherRegex.ts';
import { compileMatchers, formatMatchers, type Labels, type Matcher, MatcherError, parseMatchers } from './matchers.ts';

/** Recorded from Alertmanager 0.28.1 (`matcher/parse`, `Matchers.Matches`): its parser's result, and labels that match or do not. */
interface Recorded {
  text: string;
  invalid?: true;
  matchers?: Matcher[];
  matching?: Labels[];
  other?: Labels[];
}
const FILE = path.join(import.meta.dirname, '..', '..', 'tests', 'fixtures', 'matchers', 'alertmanager.json');
const RECORDED = JSON.parse(readFileSync(FILE, 'utf8')) as Recorded[];

const parsed = (text: string): Matcher[] | undefined => {
  try {
    return parseMatchers(text, compileRegex);
  } catch (error) {
    expect(error).toBeInstanceOf(MatcherError);
    return undefined;
  }
};

describe('as Alertmanager', () => {
  test('parses', () => {
    const differing = RECORDED.filter(
      ({ text, invalid, matchers = [] }) =>
        JSON.stringify(parsed(text)) !== JSON.stringify(invalid ? undefined : matchers)
    );
    expect(differing).toEqual([]);
  });

  test('matches', () => {
    const valid = RECORDED.filter(({ invalid }) => !invalid);
    const differing = valid.filter(({ text, matching = [], other = [] }) => {
      const matches = compileMatchers(parseMatchers(text), compileRegex);
      return !matching.every(matches) || other.some(matches);
    });
    expect(differing).toEqual([]);
    expect(valid.flatMap(({ matching = [], other = [] }) => [...matching, ...other]).length).toBeGreaterThan(3000);
  });

  test('formats to text with the same meaning', () => {
    for (const { matchers = [] } of RECORDED) {
      expect(parseMatchers(formatMatchers(matchers))).toEqual(matchers);
      expect(parseMatchers(`{${formatMatchers(matchers)}}`)).toEqual(matchers);
    }
  });
});

test('formats names of plain characters without quotes', () => {
  expect(formatMatchers(parseMatchers('{ severity = critical,instance=~"node.*", "on call"!="a\\"b",}'))).toBe(
    'severity="critical", instance=~"node.*", "on call"!="a\\"b"'
  );
});

function errorOf(text: string): MatcherError {
  try {
    parseMatchers(text, compileRegex);
  } catch (error) {
    if (error instanceof MatcherError) {
      return error;
    }
  }
  throw new Error(`accepted: ${text}`);
}

test.each([
  ['severity', 8, '', 'operator', 'Character 9: found the end, expected an operator: =, !=, =~, !~.'],
  ['="a"', 0, '=', 'name', 'Character 1: found "=", expected the name of a label.'],
  ['""="a"', 0, '""', 'name', undefined],
  ['a=', 2, '', 'value', undefined],
  ['a=,', 2, ',', 'value', undefined],
  ['a="b" c="d"', 6, 'c', 'comma', undefined],
  ['{a="b" c="d"', 7, 'c', 'commaOrBrace', undefined],
  ['{a="b"', 6, '', 'commaOrBrace', undefined],
  ['a="b",,', 6, ',', 'matcherOrEnd', undefined],
  ['{a="b",', 7, '', 'matcherOrBrace', undefined],
  ['{a="b"} x', 8, 'x', 'end', undefined],
  ['a="b"}', 5, '}', 'comma', undefined],
  ['a="b', 2, '"b', 'quote', undefined],
  ['a="\\d"', 2, '"\\d"', 'escapes', undefined],
  ["a='b'", 2, "'", 'value', undefined],
  ['a!b', 1, '!', 'notEqual', undefined],
  ['😀=~"("', 4, '"("', 'regex', undefined],
] as const)('%s: an error with its position', (text, offset, found, expected, message) => {
  const error = errorOf(text);
  expect(error).toMatchObject({ offset, found, expected });
  expect(error.message).toContain(message ?? 'expected');
});

test('bounds', () => {
  expect(errorOf(`a="${'x'.repeat(LIMITS.matcherBytes.value + 1)}"`).expected).toBe('bytes');
  expect(errorOf(Array.from({ length: LIMITS.matchers.value + 1 }, () => 'a="b"').join()).expected).toBe('count');
  expect(errorOf('a=~"(x{1000}){2}"').expected).toBe('regex');
  expect(errorOf(`a=~"${'x{1000}'.repeat(20)}"`).reason).toContain('instructions');
});

test('a pattern that takes exponential time elsewhere', () => {
  expect(compileRegex('(a*)*b')('a'.repeat(50_000))).toBe(false);
});
