/** Lets a few tasks run at the same time; the others wait in the order in which they came. Pure. */

/** @throws what the task throws, and the signal's reason when it is aborted before its turn */
export type InTurn = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** @param places how many run at the same time */
export function createTurns(places: number): InTurn {
  const waiting = new Set<() => void>();
  let free = places;

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        waiting.delete(start);
        signal.removeEventListener('abort', leave);
        free -= 1;
        resolve();
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason as Error);
      };
      if (signal.aborted) {
        leave();
      } else if (free > 0) {
        start();
      } else {
        waiting.add(start);
        signal.addEventListener('abort', leave, { once: true });
      }
    });

  return async (task, signal) => {
    await turn(signal);
    try {
      return await task();
    } finally {
      free += 1;
      const [next] = waiting;
      next?.();
    }
  };
}
