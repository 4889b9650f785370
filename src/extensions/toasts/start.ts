import { hasConsent, onConsent } from './consent';

/** Tells of new critical notifications from now on, on this page of Grafana; twice is once. */
async function startToasts(): Promise<void> {
  const { beginToasts } = await import(/* webpackChunkName: "toasts" */ './begin');
  // The consent may have been taken back while this was loaded.
  if (hasConsent()) {
    beginToasts();
  }
}

const later = (work: () => void) =>
  // Safari has no idle callback.
  typeof requestIdleCallback === 'function' ? requestIdleCallback(work, { timeout: 10_000 }) : setTimeout(work, 2000);

/**
 * What the module does by itself when Grafana starts: it looks, once there is nothing else to do, whether its user wants to be
 * told, and hears when that is said in another tab. Without that nothing is asked and nothing is loaded.
 */
export function whenIdle(): void {
  const startIf = (given: boolean) => {
    if (given) {
      // Without it Grafana is as it was: nobody has asked for a message about that.
      startToasts().catch(() => undefined);
    }
  };
  later(() => {
    startIf(hasConsent());
    // For as long as the page lives: what was switched off may be switched on again.
    onConsent(startIf);
  });
}
