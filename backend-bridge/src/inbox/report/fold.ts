/** Adds arrivals to the report. Pure. An alert is open from the notification that fires it to the one that resolves it. */
import { weekOf } from '../../../contract/report.ts';
import type { ActivityRow, NotificationRow, ReportSpellRow } from '../../platform/storage/schema.ts';

/** Columns of `report_weeks` that are added up. */
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

/** Sums to add to a week and a kind; `longest_ms` is a maximum. */
export type Sums = Record<(typeof SUMS)[number] | 'longest_ms', number>;
export const NO_SUMS = Object.fromEntries([...SUMS, 'longest_ms'].map((name) => [name, 0])) as Sums;

/** An alert that fires sooner after its resolve is flapping. Milliseconds. */
export const FLAPPING_MS = 3_600_000;

/** A notification, in the order of arrival, with the number of what it is counted under. */
export type Arrival = Pick<
  NotificationRow,
  'thread_id' | 'ts' | 'status' | 'status_given' | 'muted' | 'hidden' | 'source'
> & { kind: number };

/** An alert that is open, or that was resolved less than {@link FLAPPING_MS} ago. The kind is that of the notification that fired it. */
export type Spell = Omit<ReportSpellRow, 'thread_id'>;

/** An alert that was resolved. */
export interface Resolved extends ReportSpellRow {
  closed_ts: number;
  byHand: boolean;
}

/** An entry of the timeline. */
export type Act = Pick<ActivityRow, 'thread_id' | 'ts' | 'kind'>;

/** Entries of the bridge. */
const NOT_ACTS: ReadonlySet<string> = new Set(['ended', 'woken']);

/** Sums by week and kind. */
export class Tally {
  readonly #sums = new Map<string, Sums & { week: number; kind: number }>();

  at(ts: number, kind: number): Sums {
    const week = weekOf(ts);
    const key = `${week} ${kind}`;
    const sums = this.#sums.get(key) ?? { week, kind, ...NO_SUMS };
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
    const { thread_id, ts, kind, muted, status_given } = arrival;
    const byHand = arrival.source === 'admin';
    if (!muted && !byHand) {
      tally.at(ts, kind).notifications += 1;
    }
    const spell = spells.get(thread_id);
    const open = spell?.closed_ts === null ? spell : undefined;
    if (status_given && arrival.status === 'resolved') {
      if (open) {
        resolved.push({ ...open, thread_id, closed_ts: ts, byHand });
        spells.set(thread_id, { ...open, closed_ts: ts });
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
  { thread_id, ts, kind, status_given }: Arrival,
  open: Spell | undefined
): void {
  if (!status_given) {
    // The thread is an event from now on; what was resolved can still flap.
    if (open) {
      spells.delete(thread_id);
    }
    return;
  }
  if (!open) {
    const sums = tally.at(ts, kind);
    const closedTs = spells.get(thread_id)?.closed_ts ?? -Infinity;
    sums.fired += 1;
    sums.flapping += ts >= closedTs && ts - closedTs < FLAPPING_MS ? 1 : 0;
    spells.set(thread_id, { kind, opened_ts: ts, closed_ts: null });
  }
}

/** Counts alerts that were resolved. @param acts entries of the timelines of their threads, oldest first */
export function countResolved(tally: Tally, resolved: readonly Resolved[], acts: readonly Act[]): void {
  const byThread = Map.groupBy(acts, ({ thread_id }) => thread_id);
  for (const { thread_id, kind, opened_ts, closed_ts, byHand } of resolved) {
    const own = (byThread.get(thread_id) ?? []).filter(
      (act) => act.ts >= opened_ts && act.ts <= closed_ts && !NOT_ACTS.has(act.kind)
    );
    const sums = tally.at(closed_ts, kind);
    // Clocks can be set back.
    const openMs = Math.max(0, closed_ts - opened_ts);
    sums.resolved += 1;
    sums.open_ms += openMs;
    sums.longest_ms = Math.max(sums.longest_ms, openMs);
    sums.not_acted_on += own.length === 0 && !byHand ? 1 : 0;
    const acknowledged = own.find((act) => act.kind === 'acknowledged');
    if (acknowledged) {
      sums.acknowledged += 1;
      sums.acknowledge_ms += acknowledged.ts - opened_ts;
    }
  }
}
