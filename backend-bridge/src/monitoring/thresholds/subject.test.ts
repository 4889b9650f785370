import { expect, test } from 'vitest';
import { readCondition } from '../../../contract/condition.ts';
import { readSubject, subjectOf, writtenSubject } from './overlay.ts';

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

test.each([
  ['[BODY].x  <=  80', '[BODY].x <='],
  ['[BODY].x > 0xa', '[BODY].x >='],
  ['[RESPONSE_TIME] < 500ms', '[RESPONSE_TIME] <= ms'],
  ['[BODY].a[?(@.b<=5)].c != 4', '[BODY].a[?(@.b<=5)].c !='],
  ['len([BODY].items) == -2', 'len([BODY].items) =='],
])('what %s is a threshold of is written %s, and read again', (condition, written) => {
  const subject = subjectOf(readCondition(condition));
  expect(writtenSubject(subject)).toBe(written);
  expect(readSubject(written)).toBe(subject);
});

test('a sign that was turned by hand means the same; what names nothing is refused', () => {
  expect(readSubject('[BODY].x <')).toBe(readSubject('[BODY].x <='));
  expect(['', '<=', 'cpu', '[BODY].x <= 80 %'].map(readSubject)).toEqual([undefined, undefined, undefined, undefined]);
});
