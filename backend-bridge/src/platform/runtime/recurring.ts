import { repeat } from './repeat.ts';
import { createSerial } from './serial.ts';

/** Work that is done at an interval, and when woken; one run after another. @param what completes the sentence "could not …" */
export function recurring(what: string, everyMs: number, work: () => Promise<void>, log: Parameters<typeof repeat>[3]) {
  const inTurn = createSerial();
  let isStarted = false;
  return {
    isStarted: (): boolean => isStarted,
    /** @returns stops it, and waits for the run in progress */
    start(): () => Promise<void> {
      isStarted = true;
      const stop = repeat(what, everyMs, () => inTurn(work), log);
      return () => {
        isStarted = false;
        stop();
        return inTurn(() => undefined);
      };
    },
    wake(): void {
      if (isStarted) {
        inTurn(work).catch((error: unknown) => log.warn({ err: error }, `could not ${what}; retrying`));
      }
    },
  };
}
