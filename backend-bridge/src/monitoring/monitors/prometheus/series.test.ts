import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawn, firstTime, type Series, timesFired } from './series.ts';

const NONE = Number.NaN;
const series = (values: number[], step = 60, start = 0): Series => ({
  start,
  step,
  values: Float64Array.from(values),
  hasOthers: false,
});

describe('timesFired', () => {
  test.each<
    [what: string, values: number[], operator: '>' | '>=' | '<' | '<=' | '==' | '!=', forSeconds: number, fired: number]
  >([
    ['nothing', [], '>', 0, 0],
    ['never above', [1, 5, 5], '>', 0, 0],
    ['at the threshold', [5], '>=', 0, 1],
    ['each run once', [6, 1, 6, 6, 1, 9], '>', 0, 3],
    ['too short for it', [6, 6, 1, 6, 6], '>', 120, 0],
    ['just long enough', [6, 6, 6], '>', 120, 1],
    ['a time between two steps needs the next', [6, 6], '>', 61, 0],
    ['longer than it must', [6, 6, 6, 6, 6, 6, 6], '>', 120, 1],
    ['a hole ends a run', [6, 6, NONE, 6, 6], '>', 120, 0],
    ['holes are no violations', [NONE, NONE], '!=', 0, 0],
    ['below', [4, 4, 6, 4], '<', 60, 1],
    ['below or at', [5, 5, 6], '<=', 60, 1],
    ['anything but', [5, 4, 4, 5], '!=', 60, 1],
    ['exactly', [5, 4, 5], '==', 0, 2],
    ['without end', [Infinity, Infinity], '>', 60, 1],
    ['begun before, and not ended', [6, 6, 1, 6, 6], '>', 60, 2],
  ])('%s', (_what, values, operator, forSeconds, fired) => {
    expect(timesFired(series(values), operator, 5, forSeconds)).toBe(fired);
  });

  test('counts as one does who looks for runs', () => {
    const value = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 9 }) }, fc.constant(NONE));
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 60 }),
        fc.integer({ min: -1, max: 10 }),
        fc.integer({ min: 0, max: 300 }),
        (values, threshold, forSeconds) => {
          const marks = values.map((one) => (one > threshold ? 'x' : '.')).join('');
          const runs = marks.split(/\.+/).filter((run) => run !== '' && (run.length - 1) * 60 >= forSeconds);
          expect(timesFired(series(values), '>', threshold, forSeconds)).toBe(runs.length);
        }
      )
    );
  });

  test('a longer wait never fires more often', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.nat(600), fc.nat(600), (values, one, more) => {
        const count = (forSeconds: number) => timesFired(series(values), '>', 5, forSeconds);
        expect(count(one + more)).toBeLessThanOrEqual(count(one));
      })
    );
  });
});

describe('what is drawn', () => {
  const week = (change: Record<number, number>): Series => {
    const values = Array.from({ length: 10_081 }, () => 5);
    Object.entries(change).forEach(([at, value]) => (values[Number(at)] = value));
    return series(values, 60, 600_000);
  };

  test('the last 24 hours, with each peak that is near to an alert', () => {
    const { samples, stepSeconds } = drawn(week({ 10_080: 7, 10_077: 90, 9000: 1, 8640: 99, 8641: 50 }), '>');
    expect([stepSeconds, samples.length]).toEqual([300, 288]);
    expect(samples.at(-1)).toEqual([600_000 + 10_080 * 60, 90]);
    expect(samples[0]).toEqual([600_000 + 8645 * 60, 50]);
    expect(samples.some(([, value]) => value === 1)).toBe(false);
    expect(drawn(week({ 9000: 1 }), '<').samples.some(([, value]) => value === 1)).toBe(true);
    expect(drawn(week({ 10_080: 7, 10_079: 90 }), '==').samples.at(-1)?.[1]).toBe(7);
  });

  test('holes stay holes, and what is infinite is not drawn', () => {
    const { samples } = drawn(series([1, NONE, Infinity, 4], 3600), '>');
    expect(samples).toEqual([
      [0, 1],
      [10_800, 4],
    ]);
    expect(drawn(series([]), '>').samples).toEqual([]);
  });

  test.each([60, 61, 90, 300, 600, 3600])('with steps of %i s there are no more points than can be drawn', (step) => {
    const values = new Array<number>(Math.floor((7 * 86_400) / step) + 1).fill(1);
    const { samples } = drawn(series(values, step), '>');
    expect(samples.length).toBeLessThanOrEqual(288);
    expect(samples.length).toBeGreaterThan(20);
  });
});

test('values begin where the first one is', () => {
  expect(firstTime(series([NONE, NONE, 3, NONE], 60, 1000))).toBe(1120);
  expect(firstTime(series([NONE]))).toBeUndefined();
});
