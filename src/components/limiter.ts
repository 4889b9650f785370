/** Limits how many tasks run at the same time. The others wait in the order of their calls. Pure. */

/** @throws what the task throws, or the reason of the signal when it is aborted while waiting */
export type Limited = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** @param limit how many tasks run at the same time */
export function createLimiter(limit: number): Limited {
  const waiting = new Set<() => void>();
  let free = limit;

  const acquire = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        waiting.delete(start);
        signal.removeEventListener('abort', abort);
        free -= 1;
        resolve();
      };
      const abort = () => {
        waiting.delete(start);
        reject(signal.reason as Error);
      };
      if (signal.aborted) {
        abort();
      } else if (free > 0) {
        start();
      } else {
        waiting.add(start);
        signal.addEventListener('abort', abort, { once: true });
      }
    });

  return async (task, signal) => {
    await acquire(signal);
    try {
      return await task();
    } finally {
      free += 1;
      const [next] = waiting;
      next?.();
    }
  };
}
