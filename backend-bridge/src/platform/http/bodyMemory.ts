/**
 * The heap that request bodies may use together, from their first byte until their response is sent. Small bodies have a separate
 * budget, so that large ones never block a notification.
 */
import { LIMITS } from '../../../contract/limits.ts';
import { type Budget, createBudget } from '../runtime/budget.ts';

/** A text is held as bytes, as a string, parsed, and again as it is stored and sent back; some of these take two bytes a character. */
const HEAP_PER_BYTE = 8;
/** Bytes of a parsed, validated and copied element; measured for labels, lists and alerts: 20 to 300. */
const HEAP_PER_ELEMENT = 256;

export interface BodyMemory {
  readonly small: Budget;
  readonly large: Budget;
}

export function createBodyMemory(
  small: number = LIMITS.smallBodiesHeap.value,
  large: number = LIMITS.largeBodiesHeap.value
): BodyMemory {
  return { small: createBudget(small), large: createBudget(large) };
}

/** Budget of all bodies of this process. */
export const BODY_MEMORY = createBodyMemory();

/** The memory of one body. */
export type Reservation = ReturnType<typeof reserve>;

export function reserve({ small, large }: BodyMemory) {
  let from = small;
  let held = 0;
  let released = false;
  const heapOf = (bytes: number, elements: number): number =>
    // The largest allowed body fits when nothing else is held.
    Math.min(bytes * HEAP_PER_BYTE + elements * HEAP_PER_ELEMENT, large.limit);
  const budgetFor = (heap: number): Budget => (heap <= LIMITS.smallBodyHeap.value ? small : large);
  const release = (): void => {
    if (!released) {
      released = true;
      from.release(held);
    }
  };
  return {
    /** @returns whether a body of that size would fit now; reserves nothing */
    fits(bytes: number): boolean {
      const heap = heapOf(bytes, 0);
      const { used, limit } = budgetFor(heap);
      return used + heap <= limit;
    },
    /** Reserves what the body needs by now. @returns false if there is no room; then everything has been released */
    grow(bytes: number, elements: number): boolean {
      const heap = heapOf(bytes, elements);
      const to = budgetFor(heap);
      const more = to === from ? heap - held : heap;
      if (released || !to.take(more)) {
        release();
        return false;
      }
      if (to !== from) {
        from.release(held);
        from = to;
      }
      held = heap;
      return true;
    },
    /** Releases everything, once. */
    release,
  };
}
