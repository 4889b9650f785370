import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MaintenanceBody } from '../../../contract/suppression.ts';
import { labelsOf } from '../channels/match.ts';
import { compileCovers, CompiledRule, rulesOf, spanOf, windowClock } from './rules.ts';

const at = (text: string): number => Date.parse(text);
const shown = (window: Partial<MaintenanceBody>, now: string) => {
  const { state, from, until } = spanOf({ name: 'w', matchers: 'a="b"', ...window }, at(now));
  const iso = (ms: number | null) => (ms !== null && Number.isFinite(ms) ? new Date(ms).toISOString() : ms);
  return [state, iso(from), iso(until)];
};

describe('a window', () => {
  const once = { startsAt: '2026-03-01T22:00:00+01:00', endsAt: '2026-03-02T02:00:00+01:00' };

  it.each([
    ['2026-03-01T20:59:59Z', ['pending', '2026-03-01T21:00:00.000Z', '2026-03-02T01:00:00.000Z']],
    ['2026-03-01T21:00:00Z', ['active', null, '2026-03-02T01:00:00.000Z']],
    ['2026-03-02T00:59:59Z', ['active', null, '2026-03-02T01:00:00.000Z']],
    ['2026-03-02T01:00:00Z', ['expired', null, null]],
  ])('once, at %s', (now, expected) => expect(shown(once, now)).toEqual(expected));

  const berlin = { weekly: [{ days: ['sat'], from: '23:00', to: '04:00', zone: 'Europe/Berlin' }] };

  it.each([
    // Over midnight, in the time zone of the window.
    ['2026-03-21T21:59:59Z', ['pending', '2026-03-21T22:00:00.000Z', '2026-03-22T03:00:00.000Z']],
    ['2026-03-22T02:59:59Z', ['active', null, '2026-03-22T03:00:00.000Z']],
    ['2026-03-22T03:00:00Z', ['pending', '2026-03-28T22:00:00.000Z', '2026-03-29T02:00:00.000Z']],
    // The night in which summer time begins is an hour shorter.
    ['2026-03-29T01:59:59Z', ['active', null, '2026-03-29T02:00:00.000Z']],
    ['2026-03-29T02:00:00Z', ['pending', '2026-04-04T21:00:00.000Z', '2026-04-05T02:00:00.000Z']],
    // The night in which it ends is an hour longer.
    ['2026-10-25T02:59:59Z', ['active', null, '2026-10-25T03:00:00.000Z']],
  ])('each week, at %s', (now, expected) => expect(shown(berlin, now)).toEqual(expected));

  it('each week, within its first and last time', () => {
    const bounded = { ...berlin, startsAt: '2026-04-01T00:00:00Z', endsAt: '2026-04-05T00:00:00Z' };
    expect(shown(bounded, '2026-03-22T00:00:00Z')).toEqual([
      'pending',
      '2026-04-04T21:00:00.000Z',
      '2026-04-05T00:00:00.000Z',
    ]);
    expect(shown(bounded, '2026-04-05T00:00:00Z')).toEqual(['expired', null, null]);
  });

  it('without an end of its own starts at its start', () => {
    const later = { ...berlin, startsAt: '2026-03-21T23:30:00Z' };
    expect(shown(later, '2026-03-21T23:00:00Z').slice(0, 2)).toEqual(['pending', '2026-03-21T23:30:00.000Z']);
  });

  it('is evaluated once for each span, and again when the time goes back', () => {
    const bounded = { name: 'w', matchers: 'a="b"', ...berlin, endsAt: '2026-03-29T00:00:00Z' };
    const clock = windowClock(bounded);
    const times = [
      '2026-03-20T00:00Z',
      '2026-03-21T22:00Z',
      '2026-03-22T03:00Z',
      '2026-03-28T22:00Z',
      '2026-03-29T00:00Z',
    ];
    const spans = times.map((time, index) => {
      const [start, end] = [at(time), at(times[index + 1] ?? '2036-01-01T00:00Z')];
      expect(clock(start)).toEqual(spanOf(bounded, start));
      expect(clock(end - 1)).toBe(clock(start));
      return clock(start);
    });
    expect(spans.map(({ state }) => state)).toEqual(['pending', 'active', 'pending', 'active', 'expired']);
    expect(clock(at(times[1]!))).toEqual(spans[1]);
  });

  it('is active exactly from its next start until the end of that', () => {
    const time = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
      const text = (value: number) => String(value).padStart(2, '0');
      return `${text(Math.floor(minutes / 60))}:${text(minutes % 60)}`;
    });
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
    const now = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') });
    fc.assert(
      fc.property(time, time, zone, now, (from, to, named, instant) => {
        fc.pre(from !== to);
        const window = { name: 'w', matchers: 'a="b"', weekly: [{ from, to, zone: named }] };
        const { state, from: start, until } = spanOf(window, instant);
        const begins = start ?? instant;
        expect(spanOf(window, begins).state).toBe('active');
        expect(spanOf(window, until! - 1).state).toBe('active');
        expect(spanOf(window, until!).state).toBe('pending');
        expect(state === 'active' || spanOf(window, begins - 1).state === 'pending').toBe(true);
      }),
      { numRuns: 60 }
    );
  });
});

describe('matchers', () => {
  it('compare package, node, category and priority, unless a label has that name', () => {
    const payload = { dnpName: 'geth', node: 'attic', priority: 'high', labels: { category: 'own' } } as const;
    expect(labelsOf(payload)).toEqual({ package: 'geth', node: 'attic', category: 'own', priority: 'high' });
    expect(compileCovers('package="geth"', 'node=~"att.*"')(labelsOf(payload))).toBe(true);
  });

  it.each(['a!="b"', 'a=~".*"', '', 'a="", b=~"x?"'])('%s would match every notification, and is rejected', (text) =>
    expect(() => compileCovers(text)).toThrow('at least one matcher must not match the empty text')
  );
});

describe('an inhibition rule', () => {
  const rule = new CompiledRule({
    source_matchers: ['alertname="NodeDown"'],
    target_matchers: ['severity=~"warning|info"'],
    equal: ['cluster', 'instance'],
  });

  it('pairs labels that are equal; an absent label is empty', () => {
    const { source } = rule.sides({ alertname: 'NodeDown', instance: 'a' });
    expect(rule.sides({ severity: 'info', instance: 'a', cluster: '' }).target).toEqual(source);
    expect(rule.sides({ severity: 'info', instance: 'b' }).target!.key).not.toBe(source!.key);
    expect(rule.sides({ severity: 'critical' })).toEqual({});
  });

  it('notes that both sides match', () => {
    const { source, target } = rule.sides({ alertname: 'NodeDown', severity: 'info' });
    expect([source!.matchesBoth, target!.matchesBoth]).toEqual([true, true]);
  });

  it('of a dependency quotes names', () => {
    const [made] = rulesOf({ package: 'a"b', on: [{ node: 'c\\d' }] });
    const compiled = new CompiledRule(made!);
    expect(compiled.sides({ node: 'c\\d', priority: 'critical' }).source).toBeDefined();
    expect(compiled.sides({ node: 'c\\d', priority: 'high' })).toEqual({});
    expect(compiled.sides({ package: 'a"b' }).target).toBeDefined();
  });
});
