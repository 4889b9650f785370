/** Rules of Alertmanager's package `silence`. */
import { describe, expect, test } from 'vitest';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import { parseMatchers } from '../../../contract/matchers.ts';
import { isSelected, setSilence, type StoredSilence } from './silence.ts';

const NOW = Date.parse('2026-11-21T10:00:00.400Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const matchers = parseMatchers('i=~"a.*", zone!="b"', compileRegex);
const known: StoredSilence = {
  ...{
    id: 's',
    matchers,
    startsAt: NOW - 60_000,
    endsAt: NOW + 60_000,
    updatedAt: NOW,
    createdBy: 'anna',
    comment: 'c',
  },
};
const wanted = (change: object = {}) => ({
  ...{ id: 's', matchers, startsAt: iso(known.startsAt), endsAt: iso(known.endsAt), createdBy: 'anna', comment: 'c' },
  ...change,
});

test.each([
  ['i=~"a.*"', true],
  ['zone!="b"', true],
  ['i=~"a.*", zone!="b"', true],
  ['i="a.*"', false],
  ['i="a1"', false],
  ['zone="b"', false],
  ['other!="q"', false],
  ['other=""', false],
])('a silence has the matchers of the filter %s: %s', (filter, selected) => {
  expect(isSelected(known, parseMatchers(filter, compileRegex))).toBe(selected);
});

describe('a change', () => {
  const idOf = (change: object) => {
    const result = setSilence(wanted(change), known, NOW);
    return typeof result === 'string' ? result : result.saved.id;
  };

  test('of an active silence keeps its id with the same start in seconds', () => {
    const rounded = iso(Math.floor(known.startsAt / 1000) * 1000);
    expect(idOf({ startsAt: rounded, endsAt: iso(NOW + 90_000) })).toBe('s');
    expect(idOf({ startsAt: iso(known.startsAt + 2000) })).not.toBe('s');
  });

  test('without a duration is invalid', () => {
    expect(idOf({ startsAt: iso(NOW + 5000), endsAt: iso(NOW + 5000) })).toBe('endsAt must be after startsAt');
  });
});
