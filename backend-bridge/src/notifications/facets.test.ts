import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, DAYS, HOUR_MS, HOURS } from './counts.ts';
import { ROWS, splitRange } from './facets.ts';

const UNITS = new Map([
  [ROWS, 1],
  [HOURS, HOUR_MS],
  [DAYS, DAY_MS],
]);
/** Around the edges of hours and days as well as anywhere. */
const moment = fc.oneof(
  fc.nat(10 * DAY_MS),
  fc.tuple(fc.nat(10), fc.nat(24), fc.integer({ min: -1, max: 1 })).map(([days, hours, ms]) => Math.max(0, days * DAY_MS + hours * HOUR_MS + ms))
);

it('the parts of a range are the range: in order, without gap or overlap', () => {
  fc.assert(
    fc.property(moment, moment, (from, to) => {
      const parts = splitRange(from, to);
      if (from >= to) {
        expect(parts).toEqual([]);
        return;
      }
      expect(parts[0]!.low).toBe(from);
      expect(parts.at(-1)!.high).toBe(to);
      parts.slice(1).forEach((part, index) => expect(part.low).toBe(parts[index]!.high));
    }),
    { numRuns: 1000 }
  );
});

it('counted parts are whole slots, and rows are read of less than two hours in all', () => {
  fc.assert(
    fc.property(moment, moment, (from, to) => {
      const parts = splitRange(from, to);
      for (const { span, low, high } of parts) {
        const unit = UNITS.get(span)!;
        expect([low % unit, high % unit, low < high]).toEqual([0, 0, true]);
      }
      const rows = parts.filter(({ span }) => span === ROWS).reduce((total, { low, high }) => total + high - low, 0);
      const hours = parts.filter(({ span }) => span === HOURS).reduce((total, { low, high }) => total + (high - low) / HOUR_MS, 0);
      expect(rows).toBeLessThan(2 * HOUR_MS);
      expect(hours).toBeLessThan(48);
    }),
    { numRuns: 1000 }
  );
});

it.each([
  ['whole days', 2 * DAY_MS, 5 * DAY_MS, [[DAYS, 2 * DAY_MS, 5 * DAY_MS]]],
  ['within one hour', 10, 20, [[ROWS, 10, 20]]],
  ['over an hour’s edge', HOUR_MS - 1, HOUR_MS + 1, [[ROWS, HOUR_MS - 1, HOUR_MS], [ROWS, HOUR_MS, HOUR_MS + 1]]],
  [
    'over everything',
    DAY_MS - HOUR_MS - 1,
    2 * DAY_MS + HOUR_MS + 1,
    [
      [ROWS, DAY_MS - HOUR_MS - 1, DAY_MS - HOUR_MS],
      [HOURS, DAY_MS - HOUR_MS, DAY_MS],
      [DAYS, DAY_MS, 2 * DAY_MS],
      [HOURS, 2 * DAY_MS, 2 * DAY_MS + HOUR_MS],
      [ROWS, 2 * DAY_MS + HOUR_MS, 2 * DAY_MS + HOUR_MS + 1],
    ],
  ],
] as const)('%s', (_what, from, to, expected) => {
  expect(splitRange(from, to).map(({ span, low, high }) => [span, low, high])).toEqual(expected);
});
