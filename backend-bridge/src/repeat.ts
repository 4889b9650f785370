/** Runs work at an interval; errors are ignored, since the next run tries again. @returns stops it */
export function repeat(everyMs: number, work: () => Promise<unknown>): () => void {
  const timer = setInterval(() => void work().catch(() => undefined), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
