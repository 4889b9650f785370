import { hasConsent } from './consent';

/** Tells of new critical notifications from now on, on this page of Grafana; twice is once. */
export async function startToasts(): Promise<void> {
  const { beginToasts } = await import(/* webpackChunkName: "toasts" */ './begin');
  beginToasts();
}

const later = (work: () => void) =>
  // Safari has no idle callback.
  typeof requestIdleCallback === 'function' ? requestIdleCallback(work, { timeout: 10_000 }) : setTimeout(work, 2000);

/**
 * What the module does by itself when Grafana starts: it looks, once there is nothing else to do, whether its user wants to be
 * told. Without that nothing is asked and nothing is loaded.
 */
export function whenIdle(): void {
  later(() => {
    if (hasConsent()) {
      // Without it Grafana is as it was: nobody has asked for a message about that.
      startToasts().catch(() => undefined);
    }
  });
}
