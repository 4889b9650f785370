import { describe, expect, it } from 'vitest';
import { ago, duration } from './time';

const S = 1000;
const M = 60 * S;
const H = 60 * M;

describe('durations', () => {
  it.each([
    [-5, '0 s'],
    [59 * S, '59 s'],
    [33 * M, '33 min'],
    [59 * M + 59 * S, '59 min'],
    [H, '1 h'],
    [H + 8 * M, '1 h 8 min'],
    [24 * H, '1 d'],
    [51 * H + 59 * M, '2 d 3 h'],
  ])('%d ms: %s', (ms, expected) => expect(duration(ms)).toBe(expected));
});

describe('how long ago', () => {
  const now = Date.parse('2026-11-21T10:00:00.000Z');
  it.each([
    [-3 * S, 'now'],
    [59 * S, 'now'],
    [6 * M, '6 min'],
    [3 * H + 59 * M, '3 h'],
    [6 * 24 * H, '6 d'],
    [7 * 24 * H, undefined],
  ])('%d ms: %s', (age, expected) => expect(ago(new Date(now - age).toISOString(), now)).toBe(expected));
});
