/**
 * When each node is asked: at its interval with some jitter, one question at a time, less often while it fails, and never all at
 * once, not even after the machine has slept.
 */

export interface PolledNode {
  name: string;
  intervalMs: number;
  /**
   * Asks, and never rejects.
   * @param signal aborted when the answer is not wanted any more
   * @returns how often in a row it has failed; 0: it answered
   */
  ask: (signal: AbortSignal) => Promise<number>;
}

export interface Poller {
  /** Begins to ask; one of the same name is replaced. */
  add(node: PolledNode): void;
  remove(name: string): void;
  /** Nothing is asked any more when this is fulfilled. */
  close(): Promise<void>;
}

interface Entry extends PolledNode {
  timer: ReturnType<typeof setTimeout> | undefined;
  aborting: AbortController;
}

/** Between the beginnings of two questions, whatever the nodes: 200 a second. */
export const GAP_MS = 5;
/** Between the first questions of nodes that come together: 500 take a quarter of a minute. */
export const FIRST_GAP_MS = 30;
/** A node that fails is asked at least so often, or at its interval if that is longer. */
export const LONGEST_WAIT_MS = 120_000;
const JITTER = 0.1;

/** @param random 0 to 1 */
export function createPoller(random: () => number = Math.random): Poller {
  const entries = new Map<string, Entry>();
  const underWay = new Set<Promise<void>>();
  /** By the clock that does not jump. */
  let nextStart = 0;
  let nextFirst = 0;
  let closed = false;

  const plan = (entry: Entry, delay: number): void => {
    entry.timer = setTimeout(() => start(entry), delay);
    entry.timer.unref();
  };

  const start = (entry: Entry): void => {
    const now = performance.now();
    const wait = nextStart - now;
    nextStart = Math.max(nextStart, now) + GAP_MS;
    if (wait > GAP_MS) {
      entry.timer = setTimeout(() => run(entry), wait);
      entry.timer.unref();
    } else {
      run(entry);
    }
  };

  const run = (entry: Entry): void => {
    const asked = entry.ask(entry.aborting.signal).then((failures) => {
      if (!closed && entries.get(entry.name) === entry) {
        plan(entry, waitAfter(failures, entry.intervalMs) * (1 - JITTER + 2 * JITTER * random()));
      }
    });
    underWay.add(asked);
    void asked.finally(() => underWay.delete(asked));
  };

  const forget = (entry: Entry): void => {
    clearTimeout(entry.timer);
    entry.aborting.abort();
    entries.delete(entry.name);
  };

  return {
    add(node) {
      const before = entries.get(node.name);
      if (before) {
        forget(before);
      }
      const entry: Entry = { ...node, timer: undefined, aborting: new AbortController() };
      entries.set(node.name, entry);
      const now = performance.now();
      const first = Math.max(nextFirst, now);
      nextFirst = first + FIRST_GAP_MS;
      plan(entry, first - now);
    },
    remove(name) {
      const entry = entries.get(name);
      if (entry) {
        forget(entry);
      }
    },
    async close() {
      closed = true;
      [...entries.values()].forEach(forget);
      await Promise.all(underWay);
    },
  };
}

/** The second question comes as soon as the first, since it decides whether it fails; after that each takes twice as long. */
function waitAfter(failures: number, intervalMs: number): number {
  const longest = Math.max(LONGEST_WAIT_MS, intervalMs);
  return failures < 2 ? intervalMs : Math.min(longest, intervalMs * 2 ** Math.min(failures - 1, 10));
}
