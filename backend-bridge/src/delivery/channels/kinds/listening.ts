/** Waiting for presses, again and again. */
import { setTimeout as wait } from 'node:timers/promises';
import { LIMITS } from '../../../../contract/limits.ts';
import { HOUR_MS } from '../../../../contract/time.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import { StoreUnavailable } from '../../../platform/storage/storeError.ts';
import type { Press, Presses } from './channel.ts';
import { retryAfterMs } from './http.ts';

const SECOND_MS = 1000;
const LONGEST_PAUSE_MS = 60 * SECOND_MS;
const MAX_TRIES = 3;
/** A long poll, shorter than the limit of a request. */
export const POLL_MS = LIMITS.channelTime.value - 5 * SECOND_MS;

type Take = (press: Press) => Promise<string>;
/** Handles each event of a response; one that fails holds up no other. @throws Error if any is to be tried again */
type Each = <T>(events: readonly T[], idOf: (event: T) => string, handle: (event: T) => Promise<void>) => Promise<void>;
/** One wait for presses. @returns whether there were any @throws Error with a sentence without secrets; what was not confirmed comes again */
export type Poll = (on: Take, signal: AbortSignal, each: Each) => Promise<boolean>;

/** A response that is no success. */
export class PollError extends Error {
  /** Pause that the service demands. */
  readonly afterMs: number | undefined;
  readonly status: number;

  /** @param detail without secrets @param demanded milliseconds. Default: `Retry-After` */
  constructor({ status, headers }: OutboundAnswer, detail: string, now: number, demanded?: number) {
    super(`The server responds with ${status}: ${detail}.`);
    this.status = status;
    this.afterMs = demanded ?? retryAfterMs(headers['retry-after'], now);
  }
}

const demandedMs = (error: unknown): number | undefined => (error instanceof PollError ? error.afterMs : undefined);

/** Polls until the signal, at most once in a second without presses, and later after failures. @param open starts anew */
export function polling(open: () => Poll): Presses['listen'] {
  return async (on, onFailure, signal) => {
    const poll = open();
    const each = trying(onFailure, signal);
    let failures = 0;
    while (!signal.aborted) {
      const since = performance.now();
      let pause = 0;
      try {
        const any = await poll(on, signal, each);
        failures = 0;
        pause = any || performance.now() - since >= SECOND_MS ? 0 : SECOND_MS;
      } catch (error) {
        if (!signal.aborted) {
          failures += 1;
          onFailure(reasonOf(error));
          const backOff = Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** failures);
          pause = Math.max(backOff, Math.min(demandedMs(error) ?? 0, HOUR_MS));
        }
      }
      await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A response comes again until all its events were handled, or have failed too often. */
function trying(onFailure: (reason: string) => void, signal: AbortSignal): Each {
  /** Failed tries by id; infinite: not to be tried again. */
  const tries = new Map<string, number>();
  return async (events, idOf, handle) => {
    let failure: Error | undefined;
    for (const event of events) {
      const id = idOf(event);
      const before = tries.get(id) ?? 0;
      try {
        if (before < MAX_TRIES) {
          await handle(event);
          tries.set(id, Infinity);
        }
      } catch (error) {
        // While the store cannot write, none is lost.
        if (signal.aborted || demandedMs(error) !== undefined || error instanceof StoreUnavailable) {
          throw error;
        }
        tries.set(id, before + 1);
        if (before + 1 < MAX_TRIES) {
          failure = error as Error;
        } else {
          onFailure(`A press is discarded after ${MAX_TRIES} tries. ${reasonOf(error)}`);
        }
      }
    }
    if (failure) {
      throw failure;
    }
    tries.clear();
  };
}
