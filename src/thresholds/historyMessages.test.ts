import { expect, test } from 'vitest';
import { firedMessage, rangeMessage, rounded } from './historyMessages';

const TO = '2026-11-21T10:00:00.000Z';
const WEEK_AGO = '2026-11-14T10:00:00.000Z';

test.each([
  [0, WEEK_AGO, 'Would not have alerted in the last 7 days.'],
  [1, WEEK_AGO, 'Would have alerted once in the last 7 days.'],
  [1200, '2026-11-14T10:40:00.000Z', 'Would have alerted 1,200 times in the last 7 days.'],
  [3, '2026-11-19T07:00:00.000Z', 'Would have alerted 3 times in the last 2 d 3 h (no older data).'],
])('%i times since %s', (fired, countedFrom, message) => {
  expect(firedMessage({ fired, countedFrom, to: TO })).toBe(message);
});

test('the range of the last day, with rounded values', () => {
  const samples = (...values: number[]) => ({
    samples: values.map((value, index): [number, number] => [index, value]),
  });
  expect(rangeMessage(samples(34.123456, 91, 12), '%')).toBe('Last 24 hours: 12 % to 91 %, latest 12 %.');
  expect(rangeMessage(samples(0.123456), undefined)).toBe('Last 24 hours: always 0.1235.');
  expect(rangeMessage(samples(), '%')).toBe('No data in the last 24 hours.');
  expect([rounded(123_456.7), rounded(-1.23456), rounded(0)]).toEqual([123_457, -1.235, 0]);
});
