/**
 * Ends that arrive late. A monitor that runs twice for safety may tell the end of a spell after its twin has told the
 * beginning of the next one; stored as it came, that end would close the newer spell.
 *
 * Compared is when the older spell ended, not when it began: twins see the same spell begin at different moments (each
 * Grafana judges its rules by its own clock), so an end with an earlier beginning may well be the end of this spell.
 *
 * This memory is of this process. After a restart, such an end closes the thread until the monitor repeats the alert.
 */
import type { ReadAlert } from './read.ts';

/** Alerts that are remembered. Beyond, the ones that fired longest ago are forgotten. */
const MAX_REMEMBERED = 10_000;

export class LateEnds {
  readonly #newest = new Map<string, number>();
  readonly #max: number;

  constructor(max = MAX_REMEMBERED) {
    this.#max = max;
  }

  /** Remembers the firing ones. To be called when they are stored. */
  remember(alerts: readonly ReadAlert[]): void {
    for (const alert of alerts) {
      if (alert.status !== 'firing' || alert.startsAt === undefined) {
        continue;
      }
      const key = keyOf(alert);
      const known = this.#newest.get(key) ?? -Infinity;
      this.#newest.delete(key);
      this.#newest.set(key, Math.max(known, alert.startsAt));
      if (this.#newest.size > this.#max) {
        this.#newest.delete(this.#newest.keys().next().value as string);
      }
    }
  }

  /** It is the end of a spell that a newer one has followed. */
  isLate(alert: ReadAlert): boolean {
    const newest = this.#newest.get(keyOf(alert));
    return alert.status === 'resolved' && alert.endsAt !== undefined && newest !== undefined && alert.endsAt < newest;
  }
}

function keyOf({ incoming, fingerprint }: ReadAlert): string {
  return `${incoming.source}|${fingerprint}`;
}
