/** One message for all tabs of a browser: whoever comes first tells it. */
import { store } from '@grafana/data';
import { personKey } from '../person';

const KEY = 'told';
/** Ids that are remembered. */
const MOST = 200;

/** Only where Grafana is served over HTTPS or on this machine; elsewhere two windows in sight may rarely both tell. */
async function alone<T>(name: string, work: () => T): Promise<T> {
  return 'locks' in navigator ? await navigator.locks.request(name, () => work()) : work();
}

/**
 * Takes what no other tab has told.
 * @param ids those that are to be told
 * @returns those of them that are now this tab's to tell
 */
export function claim(ids: readonly number[]): Promise<number[]> {
  const key = personKey(KEY);
  return alone(key, () => {
    const told = store.getObject<number[]>(key, []);
    const fresh = ids.filter((id) => !told.includes(id));
    if (fresh.length > 0) {
      store.setObject(key, [...told, ...fresh].slice(-MOST));
    }
    return fresh;
  });
}
