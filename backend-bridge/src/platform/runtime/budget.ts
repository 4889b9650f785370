/**
 * Limits what is held at the same time: bytes of bodies, of queued writes, of unread events. Sizes are reserved first and released
 * later. Lists limited by number use `lru-cache`.
 */

export interface Budget {
  /** @returns whether there was room; otherwise nothing is reserved */
  take(size: number): boolean;
  /** Releases a reserved size. */
  release(size: number): void;
  /** Currently reserved. */
  readonly used: number;
  readonly limit: number;
}

/** @param limit in the unit of the sizes; a larger size never fits */
export function createBudget(limit: number): Budget {
  let used = 0;
  return {
    limit,
    get used() {
      return used;
    },
    take(size) {
      if (used + size > limit) {
        return false;
      }
      used += size;
      return true;
    },
    release(size) {
      used = Math.max(0, used - size);
    },
  };
}
