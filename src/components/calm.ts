/** Arrivals that are worth a message: one for each burst and each flapping thread in an hour, unless the priority rises. */
import { type Notification, PRIORITIES } from '@nodebell/contract/notification.ts';
import { HOUR_MS } from '@nodebell/contract/time.ts';
const MOST_KEPT = 1000;

/** @returns whether to report an arrival; to be called once for each */
export function createCalm(now: () => number = Date.now): (arrival: Notification) => boolean {
  const reported = new Map<string, { at: number; rank: number }>();
  return ({ dnpName, correlationId, priority, thread }) => {
    if (!thread.burst && !thread.flapping) {
      return true;
    }
    const key = thread.burst ? `burst:${thread.burst.id}` : JSON.stringify([dnpName, correlationId]);
    const rank = PRIORITIES.indexOf(priority);
    const last = reported.get(key);
    if (last && now() - last.at < HOUR_MS && rank <= last.rank) {
      return false;
    }
    // The oldest is first, since each is added again when it is reported.
    reported.delete(key);
    reported.set(key, { at: now(), rank });
    const [oldest] = reported.keys();
    if (reported.size > MOST_KEPT && oldest !== undefined) {
      reported.delete(oldest);
    }
    return true;
  };
}
