import { expect, it } from 'vitest';
import { momentOfInput } from '../components/moments';
import { presetEnd } from './snooze';

const BERLIN = 'Europe/Berlin';
const end = (preset: Parameters<typeof presetEnd>[0], now: string, zone = BERLIN) =>
  presetEnd(preset, Date.parse(now), zone);

it.each([
  ['hour', '2026-11-21T10:00:00.000Z', '2026-11-21T11:00:00.000Z'],
  ['tomorrow', '2026-11-21T10:00:00.000Z', '2026-11-22T07:00:00.000Z'],
  ['monday', '2026-11-21T10:00:00.000Z', '2026-11-23T07:00:00.000Z'],
  // On a Monday, that of the next week.
  ['monday', '2026-11-23T05:00:00.000Z', '2026-11-30T07:00:00.000Z'],
  // It is Sunday there already.
  ['tomorrow', '2026-11-21T23:30:00.000Z', '2026-11-23T07:00:00.000Z'],
  // Summer time begins in the night to Sunday 29 March, and ends in that to Sunday 25 October.
  ['tomorrow', '2026-03-28T20:00:00.000Z', '2026-03-29T06:00:00.000Z'],
  ['monday', '2026-03-28T20:00:00.000Z', '2026-03-30T06:00:00.000Z'],
  ['tomorrow', '2026-10-24T20:00:00.000Z', '2026-10-25T07:00:00.000Z'],
  ['monday', '2026-10-24T20:00:00.000Z', '2026-10-26T07:00:00.000Z'],
  ['hour', '2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z'],
] as const)('%s from %s', (preset, now, expected) => {
  expect(end(preset, now)).toBe(expected);
});

it('is of the zone of the user', () => {
  expect(end('tomorrow', '2026-11-21T23:30:00.000Z', 'utc')).toBe('2026-11-22T08:00:00.000Z');
  expect(end('tomorrow', '2026-11-21T23:30:00.000Z', 'America/New_York')).toBe('2026-11-22T13:00:00.000Z');
});

it('a moment of choice', () => {
  expect(momentOfInput('2026-03-29T09:30', BERLIN)).toBe('2026-03-29T07:30:00.000Z');
  expect(momentOfInput('2026-03-28T09:30', BERLIN)).toBe('2026-03-28T08:30:00.000Z');
  expect(momentOfInput('', BERLIN)).toBeUndefined();
});
