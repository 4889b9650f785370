import { describe, expect, it } from 'vitest';
import { t } from './t';

// No file of texts is loaded here, so each shows its English; the keys are those of no page.
const key = 'test.only';

describe('values in texts', () => {
  it.each(['a/b <c> & "d"', '$t(other.key)', '{{name}}', "l'été"])('shows %s as it is', (name) => {
    expect(t(key, 'From {{name}}.', { name })).toBe(`From ${name}.`);
  });

  it('writes numbers as the language does, where it is asked to', () => {
    expect(t(key, '{{n, number}} of {{n}}', { n: 12345 })).toBe('12,345 of 12345');
  });

  it('chooses the form by the count', () => {
    const files = (count: number) =>
      t(key, '', { count, defaultValue_one: '{{count, number}} file', defaultValue_other: '{{count, number}} files' });
    expect([0, 1, 2000].map(files)).toEqual(['0 files', '1 file', '2,000 files']);
  });
});
