/** Garbage collection in threads that have become idle. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_MS = 5000;
/** Share of the time in which the event loop worked. */
const BUSY_ABOVE = 0.02;

/**
 * Collects garbage once after the thread has worked. V8 does so only while it allocates, so a bridge without requests would keep
 * what the start, or a burst, has left.
 */
export function collectWhenIdle(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'regular' | 'last-resort' }) => void;
  let before = performance.eventLoopUtilization();
  let hasWorked = true;
  // Once, after the start: the most thorough kind, which takes longer.
  let flavor: 'regular' | 'last-resort' = 'last-resort';
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, before).utilization > BUSY_ABOVE;
    before = now;
    if (hasWorked && !isBusy) {
      collect({ type: 'major', flavor });
      flavor = 'regular';
    }
    hasWorked = isBusy;
  }, EVERY_MS).unref();
}
