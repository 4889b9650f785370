/** Work that runs one after another. */

/**
 * @returns as the work; an error is for the caller only, and lost if that ignores it: what follows runs all the same. Awaiting
 * `inTurn(() => undefined)` waits for all that is under way.
 */
export type Serial = <T>(work: () => T | Promise<T>) => Promise<T>;

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
