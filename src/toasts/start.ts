import { hasConsent, onConsent } from './consent';

/** Starts toasts on this page of Grafana. Calling it again has no effect. */
async function startToasts(): Promise<void> {
  const { beginToasts } = await import(/* webpackChunkName: "toasts" */ './begin');
  // Consent may have been withdrawn while the module was loading.
  if (hasConsent()) {
    beginToasts();
  }
}

const later = (work: () => void) =>
  // Safari has no idle callback.
  typeof requestIdleCallback === 'function' ? requestIdleCallback(work, { timeout: 10_000 }) : setTimeout(work, 2000);

/**
 * Runs when Grafana starts: once the browser is idle, starts toasts if the user has consented, and listens for consent in
 * other tabs. Without consent nothing is requested or loaded.
 */
export function whenIdle(): void {
  const startIf = (given: boolean) => {
    if (given) {
      // Toasts are optional, so a failure to load them is not shown.
      startToasts().catch(() => undefined);
    }
  };
  later(() => {
    startIf(hasConsent());
    // Never unsubscribed: toasts may be turned on again later.
    onConsent(startIf);
  });
}
