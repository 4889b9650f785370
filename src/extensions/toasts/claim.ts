/** One message for all tabs of a browser: whoever comes first tells it. */
import { store } from '@grafana/data';
import { personKey } from '../person';

const KEY = 'told';
/** Ids that are remembered. */
const MOST = 200;
/** What one tab writes into the browser's storage, another may read late; a lock is known to all at once. */
const HELD_MS = 60_000;

/** Only where Grafana is served over HTTPS or on this machine; elsewhere two windows in sight may rarely both tell. */
const hasLocks = (): boolean => 'locks' in navigator;

/** Whether this tab is the first to ask for it, within a minute. */
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
 * Takes what no other tab has told.
 * @param ids those that are to be told
 * @returns those of them that are now this tab's to tell
 */
export async function claim(ids: readonly number[]): Promise<number[]> {
  const key = personKey(KEY);
  const told = store.getObject<number[]>(key, []);
  const fresh = ids.filter((id) => !told.includes(id));
  const first = await Promise.all(fresh.map(async (id) => !hasLocks() || (await isFirst(`${key}.${id}`))));
  const ours = fresh.filter((_, index) => first[index]);
  if (ours.length > 0) {
    store.setObject(key, [...store.getObject<number[]>(key, []), ...ours].slice(-MOST));
  }
  return ours;
}
