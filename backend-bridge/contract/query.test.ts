import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMoment } from './query.ts';

describe('a moment', () => {
  it.each([
    ['2026-11-21T10:00:00Z', Date.UTC(2026, 10, 21, 10)],
    ['2026-11-21T10:00:00.5Z', Date.UTC(2026, 10, 21, 10, 0, 0, 500)],
    ['2026-11-21T10:00:00.123456789Z', Date.UTC(2026, 10, 21, 10, 0, 0, 123)],
    ['2026-11-21T12:00:00+02:00', Date.UTC(2026, 10, 21, 10)],
    ['2026-11-21T12:00:00+0200', Date.UTC(2026, 10, 21, 10)],
    ['2026-11-21T04:30:00-05:30', Date.UTC(2026, 10, 21, 10)],
    ['2026-11-21T10:00Z', Date.UTC(2026, 10, 21, 10)],
    ['2026-11-21T10:00', Date.UTC(2026, 10, 21, 10)],
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['0', 0],
    ['1795255200', 1795255200_000],
    ['1795255200.25', 1795255200_250],
  ])('%s', (text, expected) => {
    expect(readMoment(text)).toBe(expected);
  });

  it.each([
    '',
    'now',
    'yesterday',
    '2026-11',
    '21.11.2026',
    '2026-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '2026-11-21T25:00:00Z',
    '2026-11-21T10:60:00Z',
    '2026-11-21 10:00:00',
    '2026-11-21T10',
    '2026-11-21T10:00:00 Z',
    '-1',
    '1e9',
    '0x10',
    '1.',
    '.5',
    '123456789012',
    ' 1',
    '1795255200Z',
    'Infinity',
    'NaN',
    '+2026-11-21',
  ])('%j is none', (text) => {
    expect(readMoment(text)).toBeUndefined();
  });

  it('what the bridge writes, it reads', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(readMoment(date.toISOString())).toBe(date.getTime());
        }
      )
    );
  });
});
