/**
 * When threads of one source are a burst, which lists can show as one row. Pure. A source opens a thread when its first shown
 * notification arrives, or when it is open again. Rules: docs/decisions/0005-threads.md.
 */

import type { ThreadSummary } from './thread.ts';

/** Threads of one rule that open within {@link WINDOW_MS} before they are a burst. */
export const RULE_BURST = 20;
/** Threads of a package without a rule from which on they are a burst. Higher, because they are about more than one subject. */
export const PACKAGE_BURST = 100;
export const WINDOW_MS = 10 * 60_000;

/** Whether a thread opens with a member: its first that is shown, or one after which it is open again. */
export const opens = (before: ThreadSummary, after: ThreadSummary): boolean =>
  after.head_id !== before.head_id && (before.head_id === null || (before.state !== 'open' && after.state === 'open'));

/** Stored state of a source. Times by the bridge's own clock, in milliseconds. */
export interface SourceState {
  /** The last threads that opened, oldest first, with the times: fewer than are a burst. Empty during one. */
  recent: readonly (readonly [ts: number, thread: number])[];
  /** Last burst. */
  burst: number | null;
  /** When a thread of it opened last that was not in the burst. */
  ts: number;
}

export const NO_SOURCE: SourceState = { recent: [], burst: null, ts: 0 };

/** A thread that opens. */
export interface Opening {
  thread: number;
  /** The burst that the thread is in. */
  burst: number | null;
  ts: number;
  /** Number of the burst that it may begin: the id of its notification. */
  id: number;
}

/**
 * The source after a thread of it opened.
 * @param threshold threads that are a burst
 * @returns the burst that the thread is in now, and the earlier threads that join it
 */
export function afterOpening(
  source: SourceState,
  { thread, burst, ts, id }: Opening,
  threshold: number
): { source: SourceState; burst: number | null; joining: number[] } {
  const isRecent = (at: number): boolean => Math.abs(ts - at) <= WINDOW_MS;
  if (source.burst !== null && isRecent(source.ts)) {
    // A thread that only opens again does not prolong it: else one that flaps would prolong it forever.
    return {
      source: burst === source.burst ? source : { ...source, ts },
      burst: source.burst,
      joining: [],
    };
  }
  const recent = source.recent.filter(([at, other]) => isRecent(at) && other !== thread);
  if (recent.length + 1 < threshold) {
    return { source: { recent: [...recent, [ts, thread]], burst: null, ts }, burst: null, joining: [] };
  }
  return { source: { recent: [], burst: id, ts }, burst: id, joining: recent.map(([, other]) => other) };
}
