/** Runs one after another; calls that come while one waits are one. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    const before = running.catch(() => undefined);
    waiting ??= before.then(() => {
      waiting = undefined;
      running = work();
      return running;
    });
    return waiting;
  };
}
