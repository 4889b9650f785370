import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../contract/time.ts';
import { ROWS, splitRange } from './cells.ts';
import { DAYS } from './counts.ts';

const moment = fc
  .tuple(fc.nat(10), fc.integer({ min: -1, max: 1 }), fc.nat(DAY_MS))
  .map(([days, edge, ms]) => Math.max(0, days * DAY_MS + (edge === 0 ? ms : edge)));

it('the parts follow on each other from the beginning of the range to its end', () => {
  fc.assert(
    fc.property(moment, moment, (from, to) => {
      const parts = splitRange(from, to);
      if (from >= to) {
        expect(parts).toEqual([]);
        return;
      }
      expect(parts[0]!.low).toBe(from);
      expect(parts.at(-1)!.high).toBe(to);
      parts.forEach(({ low, high }, index) => {
        expect(low).toBeLessThan(high);
        expect(high).toBe(parts[index + 1]?.low ?? to);
      });
    })
  );
});

it('counted parts are whole days, and rows are read of less than two days in all', () => {
  fc.assert(
    fc.property(moment, moment, (from, to) => {
      const parts = splitRange(from, to);
      for (const { span, low, high } of parts) {
        expect([ROWS, DAYS]).toContain(span);
        if (span === DAYS) {
          expect([low % DAY_MS, high % DAY_MS]).toEqual([0, 0]);
        }
      }
      const rows = parts.filter(({ span }) => span === ROWS).reduce((total, { low, high }) => total + high - low, 0);
      expect(rows).toBeLessThan(2 * DAY_MS);
    })
  );
});

it.each([
  ['nothing', 5, 5, []],
  ['backwards', DAY_MS, 0, []],
  ['within a day', 1, DAY_MS - 1, [[ROWS, 1, DAY_MS - 1]]],
  ['one whole day', DAY_MS, 2 * DAY_MS, [[DAYS, DAY_MS, 2 * DAY_MS]]],
  [
    'over midnight',
    DAY_MS - 1,
    DAY_MS + 1,
    [
      [ROWS, DAY_MS - 1, DAY_MS],
      [ROWS, DAY_MS, DAY_MS + 1],
    ],
  ],
  [
    'a day and its neighbours',
    DAY_MS - 1,
    2 * DAY_MS + 1,
    [
      [ROWS, DAY_MS - 1, DAY_MS],
      [DAYS, DAY_MS, 2 * DAY_MS],
      [ROWS, 2 * DAY_MS, 2 * DAY_MS + 1],
    ],
  ],
])('%s', (_what, from, to, expected) => {
  expect(splitRange(from, to).map(({ span, low, high }) => [span, low, high])).toEqual(expected);
});
