/** Long work of the event loop in steps, between which other requests are served. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that yields after each step. A step should take less than a millisecond. */
export type Steps<R> = Generator<undefined, R>;

/** For how long steps run without a pause, in milliseconds: by time, since the same number of steps may be a thousand times as long. */
const TURN_MS = 10;

/** Runs the steps, and lets other requests run in between. */
export async function inTurns<R>(steps: Steps<R>): Promise<R> {
  for (let end = performance.now() + TURN_MS; ;) {
    const { done, value } = steps.next();
    if (done) {
      return value;
    }
    if (performance.now() >= end) {
      await nextTurn();
      end = performance.now() + TURN_MS;
    }
  }
}

/**
 * Maps the items, and lets other requests run in between. The work on one item should take less than a millisecond.
 * @returns the results, in the order of the items
 */
export async function mapInTurns<T, R>(items: readonly T[], work: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  let end = performance.now() + TURN_MS;
  for (const item of items) {
    results.push(work(item, results.length));
    if (performance.now() >= end) {
      await nextTurn();
      end = performance.now() + TURN_MS;
    }
  }
  return results;
}

/** Runs all steps at once. */
export function complete<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      return value;
    }
  }
}

/** A step for each item. @returns the results, in the order of the items */
export function* eachOf<T, R>(items: readonly T[], work: (item: T, index: number) => R): Steps<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    yield;
  }
  return results;
}
