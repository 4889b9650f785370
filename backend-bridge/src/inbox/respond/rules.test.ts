import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance, EMPTY_THREAD, type Member, type ThreadSummary } from '../notifications/thread.ts';
import { endsAcknowledgement, endsSnooze, isRepeat } from './rules.ts';

const flag = fc.constantFrom<(0 | 1)[]>(0, 1);
const member: fc.Arbitrary<Member> = fc.record({
  id: fc.nat(),
  ts: fc.nat(),
  status: fc.constantFrom('triggered', 'resolved'),
  status_given: flag,
  source: fc.constant('api' as const),
  category: fc.constant('c'),
  priority: fc.nat(3),
  is_banner: flag,
  seen: flag,
  muted: flag,
  hidden: flag,
  label_set: fc.nat(),
});

/** The naive rule, over the whole history: what was shown since it was acknowledged, and whether it was open all the time. */
function naiveEnd(members: readonly Member[], from: number, priority: number): number | undefined {
  let thread = members.slice(0, from).reduce<ThreadSummary>(advance, EMPTY_THREAD);
  for (const [index, one] of members.entries()) {
    if (index < from) {
      continue;
    }
    const shown = !one.muted && !one.hidden;
    const resolves = one.status_given === 1 && one.status === 'resolved';
    const fires = shown && !resolves;
    if (fires && (one.priority > priority || thread.state !== 'open' || !one.status_given)) {
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
        let thread = members.slice(0, from).reduce<ThreadSummary>(advance, EMPTY_THREAD);
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
        expect(repeats && one.status_given === 1 && one.status === 'resolved').toBe(false);
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
    ['what is muted', { priority: 3, muted: 1 }, false],
    ['what has errors', { status: 'resolved', hidden: 1 }, false],
  ] as const)('%s', (_, more, ends) => {
    const one = { status: 'triggered', status_given: 1, priority: 2, muted: 0, hidden: 0, ...more } as const;
    expect(endsSnooze(one, { priority: 2 })).toBe(ends);
  });
});
