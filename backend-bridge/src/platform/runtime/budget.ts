/**
 * Limits what is held at the same time: bytes of bodies, of queued writes, of unread events. Sizes are reserved first and released
 * later. Lists limited by number use `lru-cache`.
 */

export type Budget = ReturnType<typeof createBudget>;

/** @param limit in the unit of the sizes; a larger size never fits */
export function createBudget(limit: number) {
  let used = 0;
  return {
    limit,
    /** Currently reserved. */
    get used() {
      return used;
    },
    /** @returns whether there was room; otherwise nothing is reserved */
    take(size: number): boolean {
      if (used + size > limit) {
        return false;
      }
      used += size;
      return true;
    },
    /** Releases a reserved size. */
    release(size: number): void {
      used = Math.max(0, used - size);
    },
  };
}
