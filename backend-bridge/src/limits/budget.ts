/**
 * A bound on what is held at the same time: bytes of bodies, of queued writes, of unread events. Whoever wants to hold
 * something takes its size first, and gives it back when it is released. Lists bounded by number are `lru-cache`s.
 */

export interface Budget {
  /** @returns whether there was room; nothing is taken when there was none */
  take(size: number): boolean;
  /** Gives back what was taken. */
  release(size: number): void;
  /** Taken at the moment. */
  readonly used: number;
  readonly limit: number;
}

/** @param limit in any unit, the same in which sizes are taken; one that is larger than the limit is never taken */
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
