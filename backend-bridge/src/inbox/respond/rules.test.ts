import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Status } from '../../../contract/notification.ts';
import { advance, emptyThread, type Member } from '../notifications/thread.ts';
import { endsAcknowledgement, endsSnooze, isRepeat } from './rules.ts';

const member: fc.Arbitrary<Member> = fc.record({
  id: fc.nat(),
  ts: fc.nat(),
  status: fc.constantFrom<Status[]>('triggered', 'resolved'),
  statusGiven: fc.boolean(),
  source: fc.constant('api' as const),
  category: fc.constant('c'),
  priority: fc.nat(3),
  isBanner: fc.boolean(),
  seen: fc.boolean(),
  muted: fc.boolean(),
  hidden: fc.boolean(),
  labelSet: fc.nat(),
});

/** The naive rule, over the whole history: what was shown since it was acknowledged, and whether it was open all the time. */
function naiveEnd(members: readonly Member[], from: number, priority: number): number | undefined {
  let thread = members.slice(0, from).reduce(advance, emptyThread());
  for (const [index, one] of members.entries()) {
    if (index < from) {
      continue;
    }
    const shown = !one.muted && !one.hidden;
    const resolves = one.statusGiven && one.status === 'resolved';
    const fires = shown && !resolves;
    if (fires && (one.priority > priority || thread.state !== 'open' || !one.statusGiven)) {
      return index;
    }
    thread = advance(thread, one);
  }
  return undefined;
}

describe('an acknowledgement', () => {
  test('ends where the history says so, and at no other arrival', () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 12 }), fc.nat(12), fc.nat(3), (members, at, priority) => {
        const from = Math.min(at, members.length);
        let thread = members.slice(0, from).reduce(advance, emptyThread());
        let end: number | undefined;
        for (const [index, one] of members.slice(from).entries()) {
          if (end === undefined && endsAcknowledgement(thread, one, { priority })) {
            end = from + index;
          }
          thread = advance(thread, one);
        }
        expect(end).toBe(naiveEnd(members, from, priority));
      })
    );
  });

  test('what repeats never ends it, and what resolves is no repeat', () => {
    fc.assert(
      fc.property(member, fc.constantFrom('open', 'resolved', 'event'), fc.nat(3), (one, state, priority) => {
        const repeats = isRepeat({ state }, one, { priority });
        expect(repeats && endsAcknowledgement({ state }, one, { priority })).toBe(false);
        expect(repeats && one.statusGiven && one.status === 'resolved').toBe(false);
      })
    );
  });
});

describe('a snooze', () => {
  test.each([
    ['a higher priority', { priority: 3 }, true],
    ['a resolve', { status: 'resolved' }, true],
    ['the same again', {}, false],
    ['a lower priority', { priority: 0 }, false],
    ['what is muted', { priority: 3, muted: true }, false],
    ['what has errors', { status: 'resolved', hidden: true }, false],
  ] as const)('%s', (_, more, ends) => {
    const one = { status: 'triggered', statusGiven: true, priority: 2, muted: false, hidden: false, ...more } as const;
    expect(endsSnooze({ state: 'open' }, one, { priority: 2 })).toBe(ends);
  });
});
