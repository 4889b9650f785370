/** Users of Grafana who have visited, to whom threads can be assigned, whatever their read state is. */
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Person } from '../../platform/http/guard.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { recordPerson } from './writes.ts';

/**
 * Records each person once a day. No service accounts, since nobody reads as them.
 * @param now the bridge's own clock
 */
export function createPeople(writes: Pick<WriteQueue, 'submit'>, now: () => number): (person: Person) => void {
  const met = new LRUCache<string, number>({ max: LIMITS.visitors.value });
  return ({ key, login, name = '' }) => {
    const last = met.get(key) ?? -Infinity;
    if (!/^org:\d+\/user:/.test(key) || (now() >= last && now() - last < DAY_MS)) {
      return;
    }
    met.set(key, now());
    writes.submit(recordPerson, { key, login, name, now: now() }).catch(() => met.delete(key));
  };
}
