import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matches, timesFired, type Sample, type Timing } from './fired';

const MINUTE: Timing = { forSeconds: 0, keepFiringSeconds: 0, stepSeconds: 60 };
const minutes = (...values: number[]): Sample[] => values.map((value, index) => [60_000 * (index + 1), value]);
const above = (limit: number) => ({ params: [limit] });

it.each([
  ['a run counts once', [1, 9, 9, 1], MINUTE, 1],
  ['each run counts', [9, 1, 9, 1, 9], MINUTE, 3],
  ['a run that is shorter than the pending period does not fire', [1, 9, 9, 1], { ...MINUTE, forSeconds: 120 }, 0],
  ['a run as long as the pending period fires', [1, 9, 9, 9, 1], { ...MINUTE, forSeconds: 120 }, 1],
  ['a rule that keeps firing does not fire again', [9, 1, 9, 1, 1, 1, 9], { ...MINUTE, keepFiringSeconds: 120 }, 2],
])('%s', (_, values, timing, expected) => {
  expect(timesFired(minutes(...values), { operator: 'gt' }, above(5), timing)).toBe(expected);
});

it('holds an alert until the recovery threshold', () => {
  const samples = minutes(9, 4, 9, 4, 2, 9);
  const both = { operator: 'gt', recoveryOperator: 'lt' } as const;
  expect(timesFired(samples, both, above(5), MINUTE)).toBe(3);
  expect(timesFired(samples, both, { params: [5], recovery: [3] }, MINUTE)).toBe(2);
});

it('ends a run at a gap', () => {
  const samples: Sample[] = [
    [60_000, 9],
    [120_000, 9],
    [600_000, 9],
  ];
  expect(timesFired(samples, { operator: 'gt' }, above(5), MINUTE)).toBe(2);
  expect(timesFired(samples, { operator: 'gt' }, above(5), { ...MINUTE, forSeconds: 500 })).toBe(0);
});

it.each([
  ['within_range', [false, false, true, false, false]],
  ['within_range_included', [false, true, true, true, false]],
  ['outside_range', [true, false, false, false, true]],
  ['outside_range_included', [true, true, false, true, true]],
] as const)('%s', (operator, expected) => {
  expect([0, 1, 2, 3, 4].map((value) => matches(value, operator, [1, 3]))).toEqual(expected);
});

const values = fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 60 }).map((all) => minutes(...all));
const seconds = fc.integer({ min: 0, max: 10 }).map((n) => n * 60);

it('never fires above all values, and once if all are over the threshold', () => {
  fc.assert(
    fc.property(values, seconds, (samples, forSeconds) => {
      const timing = { ...MINUTE, forSeconds };
      expect(timesFired(samples, { operator: 'gt' }, above(10), timing)).toBe(0);
      const long = (samples.length - 1) * 60 >= forSeconds && samples.length > 0;
      expect(timesFired(samples, { operator: 'gte' }, above(0), timing)).toBe(long ? 1 : 0);
    })
  );
});

it('fires no more often with a longer pending period, a longer keep firing or a recovery threshold', () => {
  fc.assert(
    fc.property(
      values,
      seconds,
      seconds,
      fc.integer({ min: 1, max: 9 }),
      (samples, forSeconds, keepFiringSeconds, limit) => {
        const rule = { operator: 'gt', recoveryOperator: 'lt' } as const;
        const often = timesFired(samples, rule, above(limit), MINUTE);
        expect(timesFired(samples, rule, above(limit), { ...MINUTE, forSeconds })).toBeLessThanOrEqual(often);
        expect(timesFired(samples, rule, above(limit), { ...MINUTE, keepFiringSeconds })).toBeLessThanOrEqual(often);
        expect(timesFired(samples, rule, { params: [limit], recovery: [limit - 1] }, MINUTE)).toBeLessThanOrEqual(
          often
        );
      }
    )
  );
});
