/** Waiting for presses, again and again. */
import { setTimeout as wait } from 'node:timers/promises';
import { LIMITS } from '../../../../contract/limits.ts';
import type { Press, Presses } from './channel.ts';

const SECOND_MS = 1000;
const LONGEST_PAUSE_MS = 60 * SECOND_MS;
/** A long poll, shorter than the limit of a request. */
export const POLL_MS = LIMITS.channelTime.value - 5 * SECOND_MS;

type Take = (press: Press) => Promise<string>;
/** One wait for presses. @returns whether there were any @throws Error with a sentence without secrets; what was not confirmed comes again */
export type Poll = (on: Take, signal: AbortSignal) => Promise<boolean>;

/** Polls until the signal, at most once in a second without presses, and later after failures. @param open starts anew */
export function polling(open: () => Poll): Presses['listen'] {
  return async (on, onFailure, signal) => {
    const poll = open();
    let failures = 0;
    while (!signal.aborted) {
      const since = performance.now();
      let pause = 0;
      try {
        const any = await poll(on, signal);
        failures = 0;
        pause = any || performance.now() - since >= SECOND_MS ? 0 : SECOND_MS;
      } catch (error) {
        if (!signal.aborted) {
          failures += 1;
          onFailure(error instanceof Error ? error.message : String(error));
          pause = Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** failures);
        }
      }
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  };
}
