import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, concernsBanner, EMPTY_THREAD, type Member, type ThreadSummary } from './thread.ts';

/** A member in short: `T`riggered, `R`esolved, `E`vent; `b` requests a banner, `m`uted, `h`idden, `s`een, `a`dmin. */
function members(story: string): Member[] {
  const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);
  return story
    .split(' ')
    .filter(Boolean)
    .map((word, index) => ({
      id: index + 1,
      ts: (index + 1) * 100,
      status: word.startsWith('R') ? 'resolved' : 'triggered',
      status_given: flag(!word.startsWith('E')),
      source: word.includes('a') ? 'admin' : 'api',
      category: `category ${index + 1}`,
      priority: index % 4,
      is_banner: flag(word.includes('b')),
      seen: flag(word.includes('s')),
      muted: flag(word.includes('m')),
      hidden: flag(word.includes('h')),
      label_set: index,
    }));
}

const summary = (of: readonly Member[]): ThreadSummary => of.reduce<ThreadSummary>(advance, EMPTY_THREAD);

describe('the state after a story', () => {
  it.each([
    // story, state, openedTs, closedTs, closedByHand, banner, head, count, unseen
    ['', 'event', null, null, false, false, null, 0, 0],
    ['T', 'open', 100, null, false, false, 1, 1, 1],
    ['R', 'resolved', null, 100, false, false, 1, 1, 1],
    ['E', 'event', null, null, false, false, 1, 1, 1],
    ['T T', 'open', 100, null, false, false, 2, 2, 2],
    ['T R', 'resolved', 100, 200, false, false, 2, 2, 2],
    ['T R R', 'resolved', 100, 200, false, false, 3, 3, 3],
    ['T R T', 'open', 300, null, false, false, 3, 3, 3],
    ['T E', 'event', null, null, false, false, 2, 2, 2],
    ['T E R', 'resolved', null, 300, false, false, 3, 3, 3],
    ['R E T', 'open', 300, null, false, false, 3, 3, 3],
    ['T Ra', 'resolved', 100, 200, true, false, 2, 2, 2],
    ['T Ra R', 'resolved', 100, 200, true, false, 3, 3, 3],
    ['T R Ra', 'resolved', 100, 200, false, false, 3, 3, 3],
    ['T Ra T', 'open', 300, null, false, false, 3, 3, 3],
    ['T Ra E', 'event', null, null, false, false, 3, 3, 3],
    ['Tb', 'open', 100, null, false, true, 1, 1, 1],
    ['Tb T', 'open', 100, null, false, false, 2, 2, 2],
    ['Eb', 'event', null, null, false, true, 1, 1, 1],
    ['Tb R', 'resolved', 100, 200, false, true, 2, 2, 2],
    ['Tb R R', 'resolved', 100, 200, false, true, 3, 3, 3],
    ['T Rb', 'resolved', 100, 200, false, true, 2, 2, 2],
    ['Tb R T R', 'resolved', 300, 400, false, false, 4, 4, 4],
    ['Ts T', 'open', 100, null, false, false, 2, 2, 1],
    ['T Rs', 'resolved', 100, 200, false, false, 2, 2, 1],
    ['Th', 'event', null, null, false, false, null, 0, 0],
    ['T Rh', 'open', 100, null, false, false, 1, 1, 1],
    ['T R Tbh', 'resolved', 100, 200, false, false, 2, 2, 2],
    ['Tm', 'open', 100, null, false, false, null, 0, 0],
    ['Tm T', 'open', 100, null, false, false, 2, 1, 1],
    ['Tbm Rm', 'resolved', 100, 200, false, true, null, 0, 0],
    ['T Rm', 'resolved', 100, 200, false, false, 1, 1, 1],
    ['T R Tbm', 'resolved', 100, 200, false, false, 2, 2, 2],
    ['Tb Em R', 'resolved', 100, 300, false, true, 3, 2, 2],
    ['E Tm', 'event', null, null, false, false, 1, 1, 1],
  ] as const)('%s', (story, state, openedTs, closedTs, closedByHand, banner, head, count, unseen) => {
    const thread = summary(members(story));
    expect(thread).toMatchObject({
      state,
      opened_ts: openedTs,
      closed_ts: closedTs,
      closed_by_hand: Number(closedByHand),
      banner: Number(banner),
      head_id: head,
      count,
      unseen,
    });
  });

  it('the head is the newest member that is shown, with its own category and priority', () => {
    expect(summary(members('T T Tm Th'))).toMatchObject({
      head_id: 2,
      head_ts: 200,
      category: 'category 2',
      priority: 1,
      label_set: 1,
    });
  });

  it.each([
    ['T T', 200],
    ['T Tm', 200],
    ['T Rh', 100],
    ['Th', 100],
    ['Th Th', 100],
    ['Th T Th', 200],
  ])('the last news of %s came at %i', (story, lastTs) => {
    expect(summary(members(story)).last_ts).toBe(lastTs);
  });

  it('leaves the thread that it was given as it was', () => {
    const before = summary(members('Tb'));
    const copy = structuredClone(before);
    for (const next of members('T R E Tm Rh')) {
      advance(before, next);
    }
    expect(before).toEqual(copy);
  });
});

describe('what concerns a banner', () => {
  it.each([
    ['', 'Tb', true],
    ['', 'T', false],
    ['', 'R', false],
    ['Tb', 'R', true],
    ['Tb', 'T', false],
    ['Tb R', 'R', true],
    ['Tb T', 'R', false],
    ['T', 'Rb', true],
  ])('after "%s", %s: %j', (before, next, expected) => {
    expect(concernsBanner(summary(members(before)), members(next)[0]!)).toBe(expected);
  });
});

describe('of any story', () => {
  const word = fc
    .tuple(fc.constantFrom('T', 'R', 'E'), fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
    .map(
      ([status, b, m, h, s, a]) =>
        `${status}${b ? 'b' : ''}${m ? 'm' : ''}${h ? 'h' : ''}${s ? 's' : ''}${a && status === 'R' ? 'a' : ''}`
    );
  const stories = fc.array(word, { maxLength: 25 }).map((words) => members(words.join(' ')));
  const shown = (of: Member[]) => of.filter(({ hidden, muted }) => !hidden && !muted);

  it('shown members are counted, and the newest of them is the head', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const thread = summary(story);
        expect(thread.count).toBe(shown(story).length);
        expect(thread.unseen).toBe(shown(story).filter(({ seen }) => !seen).length);
        expect(thread.head_id).toBe(shown(story).at(-1)?.id ?? null);
      })
    );
  });

  it('hidden members change nothing of a thread that has others', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const others = story.filter(({ hidden }) => !hidden);
        fc.pre(others.length > 0);
        expect({ ...summary(story), last_ts: 0 }).toEqual({ ...summary(others), last_ts: 0 });
      })
    );
  });

  it('without muted members the state is the word of the newest', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const visible = story.filter(({ hidden, muted }) => !hidden && !muted);
        const newest = visible.at(-1);
        const expected = !newest?.status_given ? 'event' : newest.status === 'triggered' ? 'open' : 'resolved';
        expect(summary(visible).state).toBe(expected);
      })
    );
  });

  it('open spells have a beginning and no end; ends come after beginnings', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const { state, opened_ts: openedTs, closed_ts: closedTs, closed_by_hand: byHand } = summary(story);
        expect([openedTs !== null, closedTs !== null]).toEqual(
          state === 'event' ? [false, false] : state === 'open' ? [true, false] : [openedTs !== null, true]
        );
        expect((openedTs ?? 0) <= (closedTs ?? Infinity)).toBe(true);
        expect(byHand === 1 && state !== 'resolved').toBe(false);
      })
    );
  });

  it('what is read in two parts is what is read in one', () => {
    fc.assert(
      fc.property(stories, fc.nat(), (story, cut) => {
        const at = cut % (story.length + 1);
        expect(story.slice(at).reduce<ThreadSummary>(advance, summary(story.slice(0, at)))).toEqual(summary(story));
      })
    );
  });
});
