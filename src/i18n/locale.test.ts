import { afterEach, expect, it } from 'vitest';
import { capitalised, formatMoment, formatNumber, isEnglish, setLanguage, uncapitalised } from './locale';

const MOMENT = '2026-11-14T21:03:09.000Z';
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

afterEach(() => setLanguage('en-US'));

it.each([
  ['en-US', '1,234.5', '14 Nov 2026', true],
  ['de-DE', '1.234,5', '14. Nov. 2026', false],
  ['es-ES', '12.345,5', '14 nov 2026', false],
])('formats numbers and dates for %s', (language, number, day, english) => {
  setLanguage(language);
  // Spanish groups digits from five digits on.
  expect(formatNumber(language === 'es-ES' ? 12345.5 : 1234.5)).toBe(number);
  expect(formatMoment(MOMENT, DAY, 'utc')).toBe(day);
  expect(isEnglish()).toBe(english);
});

it('applies a change of language to numbers formatted before', () => {
  expect(formatNumber(0.5)).toBe('0.5');
  setLanguage('de-DE');
  expect(formatNumber(0.5)).toBe('0,5');
});

it('uses the 24-hour clock in English', () => {
  expect(formatMoment(Date.parse(MOMENT), { hour: '2-digit', minute: '2-digit' })).not.toMatch(/[ap]m/i);
});

it('uses the time zone of the user', () => {
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  expect(['utc', 'Asia/Tokyo'].map((zone) => formatMoment(MOMENT, time, zone))).toEqual(['21:03', '06:03']);
});

it('formats an invalid date as an empty string', () => {
  expect(formatMoment('yesterday', DAY)).toBe('');
});

it('capitalizes the first letter', () => {
  expect([capitalised('über 80 %'), capitalised('')]).toEqual(['Über 80 %', '']);
  expect([uncapitalised('Offen seit Mai'), uncapitalised('')]).toEqual(['offen seit Mai', '']);
});
