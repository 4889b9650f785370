/** Adds arrivals to the report. Pure. An alert is open from the notification that fires it to the one that resolves it. */
import { weekOf } from '../../../contract/report.ts';

/** Columns of `report_weeks` that are added up. `longest_ms` is a maximum. */
export const SUMS = [
  'notifications',
  'fired',
  'flapping',
  'resolved',
  'not_acted_on',
  'acknowledged',
  'open_ms',
  'acknowledge_ms',
] as const;

/** An alert that fires sooner after its resolve is flapping. Milliseconds. */
export const FLAPPING_MS = 3_600_000;

/** A notification, in the order of arrival. Times are UTC milliseconds. */
export interface Arrival {
  thread: number;
  ts: number;
  /** Number of what it is counted under. */
  kind: number;
  status: string;
  statusGiven: boolean;
  muted: boolean;
  /** It has `errors`. */
  hidden: boolean;
  /** An admin resolves it. */
  byHand: boolean;
}

/** An alert that is open, or that was resolved less than {@link FLAPPING_MS} ago. */
export interface Spell {
  /** Kind of the notification that fired it. */
  kind: number;
  openedTs: number;
  closedTs: number | null;
}

/** Sums to add to a week and a kind. */
export interface Sums {
  notifications: number;
  fired: number;
  flapping: number;
  resolved: number;
  not_acted_on: number;
  acknowledged: number;
  open_ms: number;
  longest_ms: number;
  acknowledge_ms: number;
}

const NONE: Sums = {
  notifications: 0,
  fired: 0,
  flapping: 0,
  resolved: 0,
  not_acted_on: 0,
  acknowledged: 0,
  open_ms: 0,
  longest_ms: 0,
  acknowledge_ms: 0,
};

/** An alert that was resolved. */
export interface Resolved {
  thread: number;
  kind: number;
  openedTs: number;
  closedTs: number;
  byHand: boolean;
}

/** An entry of the timeline. */
export interface Act {
  thread_id: number;
  ts: number;
  kind: string;
}

/** Entries of the bridge. */
const NOT_ACTS: ReadonlySet<string> = new Set(['ended', 'woken']);

/** Sums by week and kind. */
export class Tally {
  readonly #sums = new Map<string, Sums & { week: number; kind: number }>();

  at(ts: number, kind: number): Sums {
    const week = weekOf(ts);
    const key = `${week} ${kind}`;
    const sums = this.#sums.get(key) ?? { week, kind, ...NONE };
    this.#sums.set(key, sums);
    return sums;
  }

  rows(): (Sums & { week: number; kind: number })[] {
    return [...this.#sums.values()];
  }
}

/**
 * Counts arrivals, and keeps `spells` up to date.
 * @returns alerts that were resolved, for {@link countResolved}
 */
export function countArrivals(tally: Tally, spells: Map<number, Spell>, arrivals: readonly Arrival[]): Resolved[] {
  const resolved: Resolved[] = [];
  for (const arrival of arrivals.filter(({ hidden }) => !hidden)) {
    const { thread, ts, kind, muted, byHand, statusGiven } = arrival;
    if (!muted && !byHand) {
      tally.at(ts, kind).notifications += 1;
    }
    const spell = spells.get(thread);
    const open = spell?.closedTs === null ? spell : undefined;
    if (statusGiven && arrival.status === 'resolved') {
      if (open) {
        resolved.push({ thread, kind: open.kind, openedTs: open.openedTs, closedTs: ts, byHand });
        spells.set(thread, { ...open, closedTs: ts });
      }
    } else if (!muted) {
      fire(tally, spells, arrival, open);
    }
  }
  return resolved;
}

/** Applies a shown notification that resolves nothing. */
function fire(
  tally: Tally,
  spells: Map<number, Spell>,
  { thread, ts, kind, statusGiven }: Arrival,
  open: Spell | undefined
): void {
  if (!statusGiven) {
    // The thread is an event from now on; what was resolved can still flap.
    if (open) {
      spells.delete(thread);
    }
    return;
  }
  if (!open) {
    const sums = tally.at(ts, kind);
    const closedTs = spells.get(thread)?.closedTs ?? -Infinity;
    sums.fired += 1;
    sums.flapping += ts >= closedTs && ts - closedTs < FLAPPING_MS ? 1 : 0;
    spells.set(thread, { kind, openedTs: ts, closedTs: null });
  }
}

/** Counts alerts that were resolved. @param acts entries of the timelines of their threads, oldest first */
export function countResolved(tally: Tally, resolved: readonly Resolved[], acts: readonly Act[]): void {
  const byThread = Map.groupBy(acts, ({ thread_id }) => thread_id);
  for (const { thread, kind, openedTs, closedTs, byHand } of resolved) {
    const own = (byThread.get(thread) ?? []).filter(
      (act) => act.ts >= openedTs && act.ts <= closedTs && !NOT_ACTS.has(act.kind)
    );
    const sums = tally.at(closedTs, kind);
    // Clocks can be set back.
    const openMs = Math.max(0, closedTs - openedTs);
    sums.resolved += 1;
    sums.open_ms += openMs;
    sums.longest_ms = Math.max(sums.longest_ms, openMs);
    sums.not_acted_on += own.length === 0 && !byHand ? 1 : 0;
    const acknowledged = own.find((act) => act.kind === 'acknowledged');
    if (acknowledged) {
      sums.acknowledged += 1;
      sums.acknowledge_ms += acknowledged.ts - openedTs;
    }
  }
}
