import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/locale';
import { readNumber } from './readNumber';

const percent = { min: 0, max: 100, unit: '%' };

describe('a valid number', () => {
  it.each([
    ['80', 80],
    [' 82.5 ', 82.5],
    ['82.5 %', 82.5],
    ['7%', 7],
    ['.5', 0.5],
    ['1e1', 10],
    ['0', 0],
    ['100', 100],
  ])('%j is %d', (typed, value) => expect(readNumber(typed, percent)).toBe(value));

  it.each(['-4', '−4'])('%j is accepted if the range includes negative numbers', (typed) => {
    expect(readNumber(typed, { min: -10, max: 0 })).toBe(-4);
  });
});

describe('invalid input is rejected with an error', () => {
  it.each([
    ['', 'Enter a number.'],
    ['  ', 'Enter a number.'],
    ['%', 'Enter a number.'],
    ['eighty', 'Not a number.'],
    ['NaN', 'Not a number.'],
    ['Infinity', 'Not a number.'],
    ['0x10', 'Not a number.'],
    ['80 percent', 'Not a number.'],
    ['82,5', 'Use a point for decimals and no thousands separator.'],
    ['101', 'Must be between 0 and 100 %.'],
    ['-1', 'Must be between 0 and 100 %.'],
    ['1e999', 'Must be between 0 and 100 %.'],
  ])('%j: %s', (typed, reason) => expect(readNumber(typed, percent)).toBe(reason));
});

describe('with a decimal comma', () => {
  beforeEach(() => setLanguage('de-DE'));
  afterEach(() => setLanguage('en-US'));

  it.each([
    ['82,5', 82.5],
    ['82,5 %', 82.5],
    ['80', 80],
  ])('%j is %d', (typed, value) => expect(readNumber(typed, percent)).toBe(value));

  it.each(['82.5', '1.000', '1.000,5'])('%j is rejected: a point is ambiguous', (typed) => {
    expect(readNumber(typed, { min: 0, max: 2000 })).toBe('Use a comma for decimals and no thousands separator.');
  });

  it('formats limits with a comma', () => {
    expect(readNumber('3', { min: 0.5, max: 2.5, unit: 's' })).toBe('Must be between 0,5 and 2,5 s.');
  });
});
