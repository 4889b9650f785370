import { expect, test } from 'vitest';
import { heightOf, scaleOf, sparkPath } from './sparkPath';

const DATA = { from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T11:00:00.000Z', stepSeconds: 300 };
const START = Date.parse(DATA.from) / 1000;
const SCALE = { min: 0, max: 50 };

test('goes from left to right, and up with the value', () => {
  const samples = [
    [START, 0],
    [START + 300, 25],
    [START + 600, 50],
  ] as const;
  expect(sparkPath({ ...DATA, samples }, SCALE)).toBe('M0 100h0L83.3 50L166.7 0');
});

test('has gaps for missing values and shows a single value as a dot', () => {
  const samples = [
    [START, 50],
    [START + 600, 50],
    [START + 3600, 50],
  ] as const;
  expect(sparkPath({ ...DATA, samples }, SCALE)).toBe('M0 0h0M166.7 0h0M1000 0h0');
  expect(sparkPath({ ...DATA, samples: [] }, SCALE)).toBe('');
});

test('clamps values beyond the scale', () => {
  expect([heightOf(-5, SCALE), heightOf(99, SCALE), heightOf(10, SCALE)]).toEqual([100, 0, 80]);
  expect(heightOf(7, { min: 7, max: 7 })).toBe(50);
});

test('the scale includes the values and the range', () => {
  expect(scaleOf([[1, 120]], [0, 100])).toEqual({ min: 0, max: 120 });
  expect(scaleOf([], [0, 100])).toEqual({ min: 0, max: 100 });
});
