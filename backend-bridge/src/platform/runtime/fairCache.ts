/**
 * A cache of several owners with a common limit. Beyond it, the owner with the most entries loses its least recently used one: an owner
 * can only evict its own entries, or those of an owner with more.
 */
import { LRUCache } from 'lru-cache';

export type FairCache<V extends NonNullable<unknown>> = ReturnType<typeof createFairCache<V>>;

/** @param max entries of all owners together */
export function createFairCache<V extends NonNullable<unknown>>(max: number) {
  const owners = new Map<string, LRUCache<string, V>>();
  let size = 0;

  const evict = (): void => {
    const [owner, entries] = [...owners].reduce((most, one) => (one[1].size > most[1].size ? one : most));
    entries.pop();
    size -= 1;
    if (entries.size === 0) {
      owners.delete(owner);
    }
  };

  return {
    /** Entries of all owners. */
    get size() {
      return size;
    },
    get: (owner: string, key: string): V | undefined => owners.get(owner)?.get(key),
    set(owner: string, key: string, value: V): void {
      // `maxSize` rather than `max`, which would reserve memory for all entries at once.
      const entries = owners.get(owner) ?? new LRUCache<string, V>({ maxSize: max + 1, sizeCalculation: () => 1 });
      owners.set(owner, entries);
      size -= entries.size;
      entries.set(key, value);
      size += entries.size;
      while (size > max) {
        evict();
      }
    },
  };
}
