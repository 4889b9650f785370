/**
 * Runs work at an interval, one run at a time. An error is logged, once until a run succeeds again, and the next run tries again.
 * @param what completes the sentence "could not …" @returns stops it
 */
export function repeat(
  what: string,
  everyMs: number,
  work: () => Promise<unknown>,
  log: Record<'warn', (fields: object, message: string) => void>
): () => void {
  let running = false;
  let stopped = false;
  let failed = false;
  const run = async (): Promise<void> => {
    if (running) {
      return;
    }
    running = true;
    try {
      await work();
      failed = false;
    } catch (error) {
      if (!failed && !stopped) {
        log.warn({ err: error }, `could not ${what}; retrying every ${everyMs / 1000} s`);
      }
      failed = true;
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void run(), everyMs);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
