import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flooding } from './flood.ts';

const of = (waiting: Record<string, number>, sent: Record<string, number>, perMinute: number): string[] =>
  flooding(
    Object.entries(waiting).map(([sender, count]) => ({ sender, count })),
    new Map(Object.entries(sent)),
    perMinute
  ).sort();

test.each<[string, Record<string, number>, Record<string, number>, string[]]>([
  ['nothing waits', {}, { a: 30 }, []],
  ['as many as allowed', { a: 30 }, {}, []],
  ['one more', { a: 31 }, {}, ['a']],
  ['a flood does not hold up another sender', { a: 10_000, b: 3 }, {}, ['a']],
  ['nor does one that has used up the minute', { b: 1 }, { a: 30 }, []],
  ['messages of the last minute count', { a: 1, b: 1 }, { a: 30 }, ['a']],
])('%s', (_what, waiting, sent, expected) => {
  expect(of(waiting, sent, 30)).toEqual(expected);
});

test('those that are not a flood never exceed the limit together', () => {
  const counts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 60 }), (waiting, perMinute) => {
      const floods = of(waiting, {}, perMinute);
      const rest = Object.entries(waiting).filter(([sender]) => !floods.includes(sender));
      expect(rest.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(perMinute);
    })
  );
});
