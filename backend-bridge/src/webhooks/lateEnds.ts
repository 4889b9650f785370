/**
 * Resolves that arrive late. A monitor that runs twice for safety may send the end of one firing period after its twin has sent
 * the start of the next; stored as it came, that resolve would close the thread while the alert fires.
 *
 * Compared is when the older period ended, not when it started: twins see the same period start at different moments (each
 * Grafana evaluates its rules by its own clock), so a resolve with an earlier start may well be the end of this period.
 *
 * What one sender sent says nothing about the alerts of another sender, or of another package. Held in memory: after a restart
 * a late resolve closes the thread until the monitor repeats the alert.
 */
import { DAY_MS, LIMITS } from '../../contract/limits.ts';
import { createFairCache, type FairCache } from '../limits/fairCache.ts';
import { packageOf } from './oncePerSender.ts';
import { shortHash, type ReadAlert } from './read.ts';

export class LateEnds {
  readonly #newest: FairCache<number>;

  constructor(max: number = LIMITS.rememberedAlerts.value) {
    this.#newest = createFairCache(max);
  }

  /**
   * Remembers the firing ones. To be called when they are stored.
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

/** Undefined when nobody can tell. A resolve left out by mistake leaves its thread open, so a doubtful time is none. */
function endOf({ startsAt, endsAt }: ReadAlert, now: number): number | undefined {
  return endsAt === undefined || endsAt < (startsAt ?? 0) || endsAt < now - LIMITS.lateResolveDays.value * DAY_MS
    ? undefined
    : notAfter(endsAt, now);
}

/** Clocks differ a little; a time further in the future is wrong, and must not outrank what really happens until then. */
const notAfter = (time: number, now: number): number => (time > now + LIMITS.clockSkew.value ? now : time);

function keyOf({ incoming, fingerprint }: ReadAlert): string {
  return shortHash(JSON.stringify([incoming.source, packageOf(incoming), fingerprint]));
}
