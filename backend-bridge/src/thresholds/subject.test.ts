import { expect, test } from 'vitest';
import { readCondition } from '../../contract/condition.ts';
import { subjectOf } from './subject.ts';

const same = (a: string, b: string): boolean => subjectOf(readCondition(a)) === subjectOf(readCondition(b));

test.each([
  ['[BODY].x <= 80', '[BODY].x < 75.5'],
  ['[BODY].x  <=  80', '[BODY].x <= 80'],
  ['[BODY].x >= 0xa', '[BODY].x >= 12'],
])('%s and %s mean the same by a number', (a, b) => {
  expect(same(a, b)).toBe(true);
});

test.each([
  ['[BODY].x <= 80', '[BODY].x >= 80'],
  ['[BODY].x <= 80', '[BODY].y <= 80'],
  ['[RESPONSE_TIME] < 500ms', '[RESPONSE_TIME] < 2s'],
  ['[STATUS] == 200', '[STATUS] != 200'],
])('%s and %s do not', (a, b) => {
  expect(same(a, b)).toBe(false);
});
