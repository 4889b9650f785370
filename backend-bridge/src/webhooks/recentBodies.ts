/**
 * Tells a retry of Gatus from a reminder. Gatus sends neither a time nor an id: the same text may be the same alert sent
 * again after its answer was lost, a reminder (never sooner than five minutes), or a new alert that looks the same.
 *
 * Taken as a retry is what equals, byte for byte, the last body of its thread from the same sender and comes within a minute of
 * it. Another body of the thread between the two (a RESOLVED between two equal TRIGGERED) ends that: an endpoint that fails,
 * recovers and fails again within the minute has failed again.
 *
 * Held in memory: after a restart a retry is stored as one more member of its thread, which does no harm, whereas a new alert
 * taken for an old one would be lost.
 */
import { LIMITS } from '../../contract/limits.ts';
import { createFairCache, type FairCache } from '../limits/fairCache.ts';
import { shortHash } from './read.ts';

/** Gatus checks again, and so retries, after an endpoint's interval, whose default is 60 s. Milliseconds. */
export const RETRY_WINDOW_MS = 60_000;

interface Recent {
  hash: string;
  at: number;
  /** Two bodies of one millisecond are not one. */
  serial: number;
}

export class RecentBodies {
  readonly #last: FairCache<Recent>;
  #serial = 0;

  constructor(max: number = LIMITS.rememberedBodies.value) {
    this.#last = createFairCache(max);
  }

  /**
   * @param sender who sends
   * @param thread identifies the thread
   * @param body the body as it came
   * @param now UTC milliseconds
   * @returns a key for `once`: the same for a retry, another for everything else
   */
  keyFor(sender: string, thread: string, body: string, now: number): string {
    const hash = shortHash(body);
    const place = shortHash(thread);
    const known = this.#last.get(sender, place);
    if (known?.hash === hash && now >= known.at && now - known.at < RETRY_WINDOW_MS) {
      return keyOf(known);
    }
    this.#serial += 1;
    const recent = { hash, at: now, serial: this.#serial };
    this.#last.set(sender, place, recent);
    return keyOf(recent);
  }
}

function keyOf({ hash, at, serial }: Recent): string {
  return `${hash}|${at}|${serial}`;
}
