import { describe, expect, it } from 'vitest';
import { t } from './t';

// No translations are loaded here, so the English fallback is shown.
const key = 'test.only';

describe('interpolated values', () => {
  it.each(['a/b <c> & "d"', '$t(other.key)', '{{name}}', "l'été"])('does not interpret %s', (name) => {
    expect(t(key, 'From {{name}}.', { name })).toBe(`From ${name}.`);
  });

  it('formats numbers for the language on request', () => {
    expect(t(key, '{{n, number}} of {{n}}', { n: 12345 })).toBe('12,345 of 12345');
  });

  it('selects the plural form by count', () => {
    const files = (count: number) =>
      t(key, '', { count, defaultValue_one: '{{count, number}} file', defaultValue_other: '{{count, number}} files' });
    expect([0, 1, 2000].map(files)).toEqual(['0 files', '1 file', '2,000 files']);
  });
});
