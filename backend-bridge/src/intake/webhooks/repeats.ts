/** Repeated and late webhooks: the same alert is stored once, and a late resolve does not close a newer firing period. */
import { createHash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import { DEFAULTS } from '../../../contract/notification.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { createFairCache, type FairCache } from '../../platform/runtime/fairCache.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { type ReadAlert, shortHash } from './text.ts';

/** No sender token has such an id: theirs are hexadecimal. */
export type UnnamedSender = 'open' | 'signed';

/** @param unnamed what a sender without a token is called */
export const identityOf = (sender: Sender | undefined, unnamed: UnnamedSender): string => sender?.id ?? unnamed;

/** The package that a notification will have once it is stored. */
export const packageOf = ({ payload }: Incoming): string => payload.dnpName ?? DEFAULTS.dnpName;

/**
 * Limits `once` to the sender and the package: a token for one package can neither repeat nor resolve alerts of another, and two
 * senders of one alert add to the same thread.
 */
export function oncePerSender(incoming: Incoming, sender: string): Incoming {
  const { once } = incoming;
  if (once === undefined) {
    return incoming;
  }
  const { scope, key } = once;
  const named = JSON.stringify([packageOf(incoming), key]);
  return {
    ...incoming,
    once: { scope: `${scope}:${sender}`, key: createHash('sha256').update(named).digest('base64url') },
  };
}

/** Gatus checks again, and so retries, after an endpoint's interval, whose default is 60 s. Milliseconds. */
export const RETRY_WINDOW_MS = 60_000;

/**
 * Distinguishes a retry of Gatus from a reminder. Gatus sends neither a time nor an id: the same text may be the same alert, sent
 * again after its response was lost, a reminder (never sooner than five minutes), or a new alert that looks the same.
 *
 * A retry equals, byte for byte, the last body of its thread from the same sender, and arrives within a minute of it. Another body
 * of the thread between the two (a RESOLVED between two equal TRIGGERED) ends that: the endpoint has failed again.
 *
 * @param sender who sends
 * @param body the body as it came, after the parameters of its path: two mappings make different notifications of one body
 * @returns for the notifications of the body, in their order: those of one thread are not repeats of each other
 */
export function retriesOf(sender: string, body: string): (incoming: Incoming) => NonNullable<Incoming['once']> {
  const hash = shortHash(body);
  const counts = new Map<string, number>();
  return (incoming) => {
    const thread = JSON.stringify([packageOf(incoming), incoming.payload.correlationId]);
    const before = counts.get(thread) ?? 0;
    counts.set(thread, before + 1);
    const key = shortHash(before === 0 ? thread : `${thread}${before}`);
    return { scope: `${incoming.source}:${sender}`, key, hash, within: RETRY_WINDOW_MS };
  };
}

/**
 * Resolves that arrive late. Of two redundant monitors, one may send the end of a firing period after the other has sent the start of
 * the next; stored as it came, that resolve would close the thread while the alert fires.
 *
 * Compares when the older period ended, not when it started: redundant monitors see the same period start at different moments (each
 * Grafana evaluates its rules by its own clock), so a resolve with an earlier start may well be the end of this period.
 *
 * Kept per sender and package, in memory: after a restart a late resolve closes the thread until the monitor repeats the alert.
 */
export class LateEnds {
  readonly #newest: FairCache<number>;

  constructor(max: number = LIMITS.rememberedAlerts.value) {
    this.#newest = createFairCache(max);
  }

  /**
   * Keeps the firing ones. To be called when they are stored.
   * @param now time of receipt, UTC milliseconds
   */
  remember(sender: string, alerts: readonly ReadAlert[], now: number): void {
    for (const alert of alerts) {
      if (alert.status === 'firing' && alert.startsAt !== undefined) {
        const key = keyOf(alert);
        this.#newest.set(sender, key, Math.max(this.#newest.get(sender, key) ?? 0, notAfter(alert.startsAt, now)));
      }
    }
  }

  /** Whether it is the end of a firing period that a newer one has followed. */
  isLate(sender: string, alert: ReadAlert, now: number): boolean {
    const newest = alert.status === 'resolved' ? this.#newest.get(sender, keyOf(alert)) : undefined;
    const ended = endOf(alert, now);
    return newest !== undefined && ended !== undefined && ended < newest;
  }
}

/** Undefined: unknown. A resolve left out by mistake leaves its thread open, so a doubtful time is ignored. */
function endOf({ startsAt, endsAt }: ReadAlert, now: number): number | undefined {
  return endsAt === undefined || endsAt < (startsAt ?? 0) || endsAt < now - LIMITS.lateResolveDays.value * DAY_MS
    ? undefined
    : notAfter(endsAt, now);
}

/** Clocks differ a little; a time further in the future is wrong, and must not outrank later alerts. */
const notAfter = (time: number, now: number): number => (time > now + LIMITS.clockSkew.value ? now : time);

function keyOf({ incoming, fingerprint }: ReadAlert): string {
  return shortHash(JSON.stringify([incoming.source, packageOf(incoming), fingerprint]));
}
