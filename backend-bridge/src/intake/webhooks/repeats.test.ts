import { describe, expect, it } from 'vitest';
import { LateEnds } from './repeats.ts';
import type { ReadAlert } from './text.ts';

const at = (clock: string) => Date.parse(`2026-11-20T${clock}Z`);
const alert = (status: ReadAlert['status'], startsAt?: string, endsAt?: string, fingerprint = 'a'): ReadAlert => ({
  incoming: { payload: { title: 't', body: '' }, source: 'alertmanager' },
  fingerprint,
  startsAt: startsAt === undefined ? undefined : at(startsAt),
  endsAt: endsAt === undefined ? undefined : at(endsAt),
  status,
});

const NOW = at('14:00:00');

describe('an end that arrives late', () => {
  it('is known by a newer spell that began after it', () => {
    const ends = new LateEnds();
    ends.remember('s', [alert('firing', '10:00:00'), alert('firing', '12:00:00'), alert('firing', '11:00:00')], NOW);
    expect(ends.isLate('s', alert('resolved', '10:00:00', '11:00:00'), NOW)).toBe(true);
    expect(ends.isLate('s', alert('resolved', '12:00:00', '13:00:00'), NOW)).toBe(false);
  });

  it('is not one that only began earlier: twins see the same spell begin at different moments', () => {
    const ends = new LateEnds();
    ends.remember('s', [alert('firing', '10:00:10')], NOW);
    expect(ends.isLate('s', alert('resolved', '10:00:00', '10:05:00'), NOW)).toBe(false);
  });

  it('is not one of another alert, nor one whose end or beginning nobody knows', () => {
    const ends = new LateEnds();
    ends.remember(
      's',
      [
        alert('firing', '12:00:00'),
        alert('firing', undefined, undefined, 'b'),
        alert('resolved', '12:00:00', '12:01:00', 'c'),
      ],
      NOW
    );
    expect(ends.isLate('s', alert('resolved', '10:00:00', '11:00:00', 'b'), NOW)).toBe(false);
    expect(ends.isLate('s', alert('resolved', '10:00:00', '11:00:00', 'c'), NOW)).toBe(false);
    expect(ends.isLate('s', alert('resolved', '10:00:00'), NOW)).toBe(false);
    expect(ends.isLate('s', alert('firing', '10:00:00', '11:00:00'), NOW)).toBe(false);
  });

  it('discards the alerts that fired longest ago', () => {
    const ends = new LateEnds(2);
    ends.remember(
      's',
      ['a', 'b', 'a', 'c'].map((name) => alert('firing', '12:00:00', undefined, name)),
      NOW
    );
    const late = (name: string) => ends.isLate('s', alert('resolved', '10:00:00', '11:00:00', name), NOW);
    expect([late('a'), late('b'), late('c')]).toEqual([true, false, true]);
  });

  it('is recognised from what the same sender sent, for the same package', () => {
    const ends = new LateEnds();
    const of = (dnpName: string, one: ReadAlert): ReadAlert => ({
      ...one,
      incoming: { ...one.incoming, payload: { ...one.incoming.payload, dnpName } },
    });
    ends.remember('s', [of('a.eth', alert('firing', '12:00:00'))], NOW);
    const end = alert('resolved', '10:00:00', '11:00:00');
    expect(ends.isLate('s', of('a.eth', end), NOW)).toBe(true);
    expect(ends.isLate('s', of('b.eth', end), NOW)).toBe(false);
    expect(ends.isLate('t', of('a.eth', end), NOW)).toBe(false);
  });

  it('is remembered whatever another sender floods the memory with', () => {
    const ends = new LateEnds(10);
    ends.remember('s', [alert('firing', '12:00:00')], NOW);
    ends.remember(
      't',
      Array.from({ length: 100 }, (_, index) => alert('firing', '12:00:00', undefined, `f${index}`)),
      NOW
    );
    expect(ends.isLate('s', alert('resolved', '10:00:00', '11:00:00'), NOW)).toBe(true);
  });
});

describe('times that cannot be', () => {
  const future = (firing: ReadAlert): ReadAlert => ({ ...firing, startsAt: Date.parse('2999-01-01T00:00:00Z') });

  it('a start in the future counts as the time of receipt', () => {
    const ends = new LateEnds();
    ends.remember('s', [future(alert('firing'))], at('12:00:00'));
    expect(ends.isLate('s', alert('resolved', '11:59:00', '12:30:00'), NOW)).toBe(false);
    expect(ends.isLate('s', alert('resolved', '10:00:00', '11:00:00'), NOW)).toBe(true);
  });

  it('a start a little ahead is taken as it is: clocks differ', () => {
    const ends = new LateEnds();
    ends.remember('s', [alert('firing', '12:04:00')], at('12:00:00'));
    expect(ends.isLate('s', alert('resolved', '10:00:00', '12:03:00'), at('12:05:00'))).toBe(true);
  });

  it.each([
    ['before its own start', '12:00:00', '11:00:00'],
    ['of another day', undefined, '2026-11-18T10:00:00Z'],
    ['of 1971', undefined, '1971-01-01T00:00:00Z'],
  ])('an end %s makes no resolve late: its thread would stay open', (_name, startsAt, endsAt) => {
    const ends = new LateEnds();
    ends.remember('s', [alert('firing', '12:30:00')], NOW);
    const end = { ...alert('resolved', startsAt), endsAt: endsAt.includes('T') ? Date.parse(endsAt) : at(endsAt) };
    expect(ends.isLate('s', end, NOW)).toBe(false);
  });

  it('an end in the far future makes none late either', () => {
    const ends = new LateEnds();
    ends.remember('s', [alert('firing', '12:30:00')], NOW);
    expect(
      ends.isLate('s', { ...alert('resolved', '12:30:00'), endsAt: Date.parse('2999-01-01T00:00:00Z') }, NOW)
    ).toBe(false);
  });
});
