/** One toast for all tabs of a browser: the first tab to claim it shows it. */
import { store } from '@grafana/data';
import { personKey } from '../components/person';

const KEY = 'told';
/** Ids that are remembered. */
const MOST = 200;
/** Other tabs may see a storage write late; a lock takes effect immediately. */
const HELD_MS = 60_000;

/** Locks need HTTPS or localhost. Elsewhere two visible windows may rarely both show a toast. */
const hasLocks = (): boolean => 'locks' in navigator;

/** Whether this tab is the first to request the lock, within a minute. */
function isFirst(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock && new Promise<void>((release) => setTimeout(release, HELD_MS));
      })
      .catch(reject);
  });
}

/**
 * Claims notifications that no other tab has shown.
 * @param ids the notifications to show
 * @returns those that this tab is to show
 */
export async function claim(ids: readonly number[]): Promise<number[]> {
  const key = personKey(KEY);
  const shown = store.getObject<number[]>(key, []);
  const fresh = ids.filter((id) => !shown.includes(id));
  const first = await Promise.all(fresh.map(async (id) => !hasLocks() || (await isFirst(`${key}.${id}`))));
  const ours = fresh.filter((_, index) => first[index]);
  if (ours.length > 0) {
    store.setObject(key, [...store.getObject<number[]>(key, []), ...ours].slice(-MOST));
  }
  return ours;
}
