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
export class Reservation {
  readonly #memory: BodyMemory;
  #from: Budget;
  #held = 0;
  #released = false;

  constructor(memory: BodyMemory) {
    this.#memory = memory;
    this.#from = memory.small;
  }

  /** @returns whether a body of that size would fit now; reserves nothing */
  fits(bytes: number): boolean {
    const heap = this.#heapOf(bytes, 0);
    const { used, limit } = this.#budgetFor(heap);
    return used + heap <= limit;
  }

  /** Reserves what the body needs by now. @returns false if there is no room; then everything has been released */
  grow(bytes: number, elements: number): boolean {
    const heap = this.#heapOf(bytes, elements);
    const to = this.#budgetFor(heap);
    const more = to === this.#from ? heap - this.#held : heap;
    if (this.#released || !to.take(more)) {
      this.release();
      return false;
    }
    if (to !== this.#from) {
      this.#from.release(this.#held);
      this.#from = to;
    }
    this.#held = heap;
    return true;
  }

  /** Releases everything, once. */
  release(): void {
    if (!this.#released) {
      this.#released = true;
      this.#from.release(this.#held);
    }
  }

  /** The largest allowed body fits when nothing else is held. */
  #heapOf(bytes: number, elements: number): number {
    return Math.min(bytes * HEAP_PER_BYTE + elements * HEAP_PER_ELEMENT, this.#memory.large.limit);
  }

  #budgetFor(heap: number): Budget {
    return heap <= LIMITS.smallBodyHeap.value ? this.#memory.small : this.#memory.large;
  }
}
