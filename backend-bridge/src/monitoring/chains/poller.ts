/**
 * When each node is polled: at its interval with jitter, one poll at a time, with backoff while it fails, and never all nodes at
 * once, not even after the machine was suspended.
 */

export interface PolledNode {
  name: string;
  intervalMs: number;
  /**
   * Polls once. Never rejects.
   * @param signal aborted when the node is removed
   * @returns failures in a row; 0: success
   */
  poll: (signal: AbortSignal) => Promise<number>;
}

interface Entry extends PolledNode {
  timer: ReturnType<typeof setTimeout> | undefined;
  aborting: AbortController;
}

/** Between the starts of any two polls: 200 per second. */
export const GAP_MS = 5;
/** Between the first polls of nodes added together: 500 nodes take 15 seconds. */
export const FIRST_GAP_MS = 30;
/** Maximum backoff, or the interval if that is longer. */
export const LONGEST_WAIT_MS = 120_000;
const JITTER = 0.1;

/** @param random 0 to 1 */
export function createPoller(random: () => number = Math.random) {
  const entries = new Map<string, Entry>();
  const inFlight = new Set<Promise<void>>();
  /** Monotonic clock. */
  let nextStart = 0;
  let nextFirst = 0;
  let closed = false;

  const start = (entry: Entry): void => {
    const now = performance.now();
    const wait = nextStart - now;
    nextStart = Math.max(nextStart, now) + GAP_MS;
    if (wait > GAP_MS) {
      wake(entry, wait, run);
    } else {
      run(entry);
    }
  };

  const run = (entry: Entry): void => {
    const polled = entry.poll(entry.aborting.signal).then((failures) => {
      if (!closed && entries.get(entry.name) === entry) {
        wake(entry, waitAfter(failures, entry.intervalMs) * (1 - JITTER + 2 * JITTER * random()), start);
      }
    });
    inFlight.add(polled);
    void polled.finally(() => inFlight.delete(polled));
  };

  const drop = (entry: Entry): void => {
    clearTimeout(entry.timer);
    entry.aborting.abort();
    entries.delete(entry.name);
  };

  return {
    /** Starts polling; a node of the same name is replaced. */
    add(node: PolledNode): void {
      const before = entries.get(node.name);
      if (before) {
        drop(before);
      }
      const entry: Entry = { ...node, timer: undefined, aborting: new AbortController() };
      entries.set(node.name, entry);
      const now = performance.now();
      const first = Math.max(nextFirst, now);
      nextFirst = first + FIRST_GAP_MS;
      wake(entry, first - now, start);
    },
    remove(name: string): void {
      const entry = entries.get(name);
      if (entry) {
        drop(entry);
      }
    },
    /** Resolves once no poll is in flight. */
    async close(): Promise<void> {
      closed = true;
      [...entries.values()].forEach(drop);
      await Promise.all(inFlight);
    },
  };
}

function wake(entry: Entry, delayMs: number, work: (entry: Entry) => void): void {
  entry.timer = setTimeout(() => work(entry), delayMs);
  entry.timer.unref();
}

/** The second poll follows at the normal interval, since it confirms the failure; after that the wait doubles. */
function waitAfter(failures: number, intervalMs: number): number {
  const longest = Math.max(LONGEST_WAIT_MS, intervalMs);
  return failures < 2 ? intervalMs : Math.min(longest, intervalMs * 2 ** Math.min(failures - 1, 10));
}
