import fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterOpening, NO_SOURCE, type SourceState, WINDOW_MS } from './burst.ts';

/** One source whose threads open, and the burst of each thread. */
function world(threshold: number) {
  let source: SourceState = NO_SOURCE;
  const bursts = new Map<number, number | null>();
  let id = 0;
  return {
    bursts,
    open: (thread: number, ts: number): number | null => {
      id += 1;
      const after = afterOpening(source, { thread, burst: bursts.get(thread) ?? null, ts, id }, threshold);
      source = after.source;
      bursts.set(thread, after.burst);
      after.joining.forEach((other) => bursts.set(other, after.burst));
      expect(source.recent.length).toBeLessThan(threshold);
      return after.burst;
    },
  };
}

it('is a burst from the threshold on, with the threads before', () => {
  const { open, bursts } = world(3);
  open(1, 0);
  open(2, 1);
  expect([...bursts.values()]).toEqual([null, null]);
  open(3, 2);
  open(4, 3);
  expect(new Set(bursts.values())).toEqual(new Set([3]));
});

it('a later thread is a row of its own again, also one of the burst that opens again', () => {
  const { open, bursts } = world(3);
  [1, 2, 3].forEach((thread) => open(thread, 0));
  expect(open(4, WINDOW_MS)).toBe(3);
  expect(open(5, 2 * WINDOW_MS + 1)).toBeNull();
  expect(open(1, 2 * WINDOW_MS + 2)).toBeNull();
  expect(bursts.get(2)).toBe(3);
  // The third makes the next burst.
  expect(open(6, 2 * WINDOW_MS + 3)).toBe(8 - 1);
  expect([5, 1, 6, 2].map((thread) => bursts.get(thread))).toEqual([7, 7, 7, 3]);
});

it('a thread that opens again and again is no burst, and does not prolong one', () => {
  const { open } = world(3);
  for (let turn = 0; turn < 10; turn += 1) {
    expect(open(1, turn)).toBeNull();
  }
  open(2, 10);
  const burst = open(3, 10);
  expect(burst).not.toBeNull();
  expect(open(1, 10 + WINDOW_MS)).toBe(burst);
  expect(open(1, 10 + WINDOW_MS + 1)).toBeNull();
});

it('a model that knows all openings finds the same bursts', () => {
  const minutes = fc.array(
    fc.record({ thread: fc.integer({ min: 1, max: 12 }), pause: fc.integer({ min: 0, max: 12 }) }),
    { maxLength: 60 }
  );
  fc.assert(
    fc.property(minutes, fc.integer({ min: 2, max: 5 }), (openings, threshold) => {
      const { open, bursts } = world(threshold);
      // The model: openings outside of a burst, all of them; and when the burst began and was joined last.
      const outside: { thread: number; ts: number }[] = [];
      const model = new Map<number, number | null>();
      let burst: { id: number; joined: number } | undefined;
      let ts = 0;
      openings.forEach(({ thread, pause }, index) => {
        ts += pause * 60_000;
        open(thread, ts);
        if (burst && ts - burst.joined <= WINDOW_MS) {
          burst.joined = model.get(thread) === burst.id ? burst.joined : ts;
          model.set(thread, burst.id);
        } else {
          burst = undefined;
          outside.push({ thread, ts });
          const near = new Set(outside.filter((one) => ts - one.ts <= WINDOW_MS).map((one) => one.thread));
          model.set(thread, null);
          if (near.size >= threshold) {
            const begun = { id: index + 1, joined: ts };
            burst = begun;
            near.forEach((one) => model.set(one, begun.id));
            outside.length = 0;
          }
        }
        expect([...bursts]).toEqual([...model]);
      });
    })
  );
});
