/** Whether the user wants toasts on every Grafana page. Stored per browser, off by default. */
import { store } from '@grafana/data';
import { personKey } from '../components/person';

const KEY = 'toasts';

export const hasConsent = (): boolean => store.getBool(personKey(KEY), false);

export function setConsent(given: boolean): void {
  if (given) {
    store.set(personKey(KEY), true);
  } else {
    store.delete(personKey(KEY));
  }
}

/**
 * Calls back when consent is given or withdrawn in another tab of this browser.
 * @returns stops that
 */
export function onConsent(change: (given: boolean) => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    // Null: everything was cleared.
    if (key === null || key === personKey(KEY)) {
      change(hasConsent());
    }
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}
