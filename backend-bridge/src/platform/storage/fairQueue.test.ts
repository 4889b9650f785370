import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Call, createFairQueue, type Taken } from './fairQueue.ts';

interface Numbered extends Call {
  number: number;
  large: boolean;
}

const call = fc.record({
  sender: fc.constantFrom('a', 'b', 'c', undefined),
  bytes: fc.integer({ min: 1, max: 40 }),
  large: fc.boolean(),
});
const step = fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }) });

const SLICES = ['1', '2', '3'];

it('takes each call once, those of one sender in order, and no sender twice while another waits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = createFairQueue<Numbered>(100);
      const waiting: Numbered[] = [];
      let afterLarge = false;
      const take = (batch: Taken<Numbered>[]) => {
        const turns = new Map<string | undefined, number>();
        const large = batch.some(({ call: one }) => one.large);
        // A slice of a large call goes alone, and small calls pass after each slice.
        expect(batch.length === 1 || !large).toBe(true);
        expect(large && afterLarge && waiting.some((one) => !one.large)).toBe(false);
        afterLarge = large;
        for (const { call: one, slice, last } of batch) {
          const lane = waiting.filter((other) => other.large === large);
          expect(one).toBe(lane.find(({ sender }) => sender === one.sender));
          expect([slice, last]).toEqual(large ? [SLICES[2 - one.slices.length], one.slices.length === 0] : ['1', true]);
          turns.set(one.sender, (turns.get(one.sender) ?? 0) + 1);
          if (last) {
            waiting.splice(waiting.indexOf(one), 1);
          }
          for (const { sender } of large ? [] : waiting.filter((other) => !other.large)) {
            expect(turns.get(one.sender)! - (turns.get(sender) ?? 0)).toBeLessThanOrEqual(1);
          }
        }
        expect(batch.length <= 1 || batch.reduce((sum, { call: { bytes } }) => sum + bytes, 0) <= 100).toBe(true);
      };
      steps.forEach((each, number) => {
        if (typeof each === 'number') {
          const before = waiting.length;
          const batch = queue.takeBatch(each);
          expect(batch.length).toBeGreaterThanOrEqual(Math.min(1, before));
          take(batch);
        } else {
          const one = { number, ...each, slices: each.large ? [...SLICES] : ['1'] };
          queue.push(one);
          waiting.push(one);
        }
        expect(queue.length).toBe(waiting.length);
      });
      const removed = waiting.find(({ large }) => large);
      if (removed) {
        queue.remove(removed);
        queue.remove(removed);
        waiting.splice(waiting.indexOf(removed), 1);
      }
      expect(queue.length).toBe(waiting.length);
      expect(queue.takeAll().sort((a, b) => a.number - b.number)).toEqual(waiting);
      expect(queue.length).toBe(0);
    })
  );
});

it('keeps its order over thousands', () => {
  const queue = createFairQueue<Numbered>();
  for (let number = 0; number < 5000; number += 1) {
    queue.push({ number, sender: 'a', bytes: 1, large: false, slices: ['1'] });
  }
  const taken: number[] = [];
  while (queue.length > 0) {
    taken.push(...queue.takeBatch(512).map(({ call: { number } }) => number));
  }
  expect(taken).toEqual(Array.from({ length: 5000 }, (_, index) => index));
});

it('does not keep calls that were taken, while others of their sender wait', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const queue = createFairQueue<Numbered>();
  const references = Array.from({ length: 20 }, (_, number) => {
    const one = { number, sender: 'a', bytes: 1, large: false, slices: ['1'] };
    queue.push(one);
    return new WeakRef(one);
  });
  queue.takeBatch(10);
  // A reference is kept until the end of the turn in which it was read.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(references.map((reference) => reference.deref() === undefined)).toEqual(
    references.map((_, number) => number < 10)
  );
  expect(queue.takeAll().map(({ number }) => number)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
});
