import { describe, expect, it } from 'vitest';
import { LateEnds } from './lateEnds.ts';
import type { ReadAlert } from './read.ts';

const at = (clock: string) => Date.parse(`2026-11-20T${clock}Z`);
const alert = (status: ReadAlert['status'], startsAt?: string, endsAt?: string, fingerprint = 'a'): ReadAlert => ({
  incoming: { payload: { title: 't', body: '' }, source: 'alertmanager' },
  fingerprint,
  startsAt: startsAt === undefined ? undefined : at(startsAt),
  endsAt: endsAt === undefined ? undefined : at(endsAt),
  status,
});

describe('an end that arrives late', () => {
  it('is known by a newer spell that began after it', () => {
    const ends = new LateEnds();
    ends.remember([alert('firing', '10:00:00'), alert('firing', '12:00:00'), alert('firing', '11:00:00')]);
    expect(ends.isLate(alert('resolved', '10:00:00', '11:00:00'))).toBe(true);
    expect(ends.isLate(alert('resolved', '12:00:00', '13:00:00'))).toBe(false);
  });

  it('is not one that only began earlier: twins see the same spell begin at different moments', () => {
    const ends = new LateEnds();
    ends.remember([alert('firing', '10:00:10')]);
    expect(ends.isLate(alert('resolved', '10:00:00', '10:05:00'))).toBe(false);
  });

  it('is not one of another alert, nor one whose end or beginning nobody knows', () => {
    const ends = new LateEnds();
    ends.remember([
      alert('firing', '12:00:00'),
      alert('firing', undefined, undefined, 'b'),
      alert('resolved', '12:00:00', '12:01:00', 'c'),
    ]);
    expect(ends.isLate(alert('resolved', '10:00:00', '11:00:00', 'b'))).toBe(false);
    expect(ends.isLate(alert('resolved', '10:00:00', '11:00:00', 'c'))).toBe(false);
    expect(ends.isLate(alert('resolved', '10:00:00'))).toBe(false);
    expect(ends.isLate(alert('firing', '10:00:00', '11:00:00'))).toBe(false);
  });

  it('forgets the alerts that fired longest ago', () => {
    const ends = new LateEnds(2);
    ends.remember(['a', 'b', 'a', 'c'].map((name) => alert('firing', '12:00:00', undefined, name)));
    const late = (name: string) => ends.isLate(alert('resolved', '10:00:00', '11:00:00', name));
    expect([late('a'), late('b'), late('c')]).toEqual([true, false, true]);
  });
});
