/** Work in turns, and at an interval. */
import { repeat } from './repeat.ts';

/** Runs work one after another, whatever those before have thrown. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    // The caller gets the error.
    this.#last = next.catch(() => undefined);
    return next;
  }

  end = async (): Promise<void> => void (await this.#last);
}

/** Work that is done at an interval, and when woken; one run after another. @param what completes the sentence "could not …" */
export function recurring(what: string, everyMs: number, work: () => Promise<void>, log: Parameters<typeof repeat>[3]) {
  const turns = new Turns();
  let isStarted = false;
  return {
    isStarted: (): boolean => isStarted,
    /** @returns stops it, and waits for the run in progress */
    start(): () => Promise<void> {
      isStarted = true;
      const stop = repeat(what, everyMs, () => turns.run(work), log);
      return () => {
        isStarted = false;
        stop();
        return turns.end();
      };
    },
    wake(): void {
      if (isStarted) {
        turns.run(work).catch((error: unknown) => log.warn({ err: error }, `could not ${what}; retrying`));
      }
    },
  };
}
