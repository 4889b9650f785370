import { MINUTE_MS } from '../../../contract/time.ts';
/**
 * Sync rate of a node from recent samples: the median of the slopes between all pairs (Theil–Sen estimator), which a burst, a pause
 * or one wrong response does not change. Pure.
 */

export interface Sample {
  /** Milliseconds. */
  at: number;
  current: number;
  /** Undefined: the node did not report the newest block of the chain. */
  behind: number | undefined;
}

export interface Rates {
  /** Blocks per minute; undefined: not enough samples. */
  rate: number | undefined;
  /** Blocks per minute by which it catches up; negative while it falls further behind. */
  closing: number | undefined;
}

/** Few enough to compare all pairs on each poll. */
export const KEPT_SAMPLES = 24;
/** Minimum distance of samples: with a shorter poll interval, the newest replaces the one before it. */
const LEAST_GAP_MS = 10_000;
/** Minimum data for a rate. */
const LEAST_SAMPLES = 4;
const LEAST_SPAN_MS = 45_000;
/** Older samples are discarded. */
const OLDEST_MS = 30 * 60_000;

/** @returns the samples with a new one, oldest first, at most {@link KEPT_SAMPLES} */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  // The chain was restarted: older samples cannot be compared.
  const kept =
    last !== undefined && sample.current < last.current ? [] : samples.filter(({ at }) => sample.at - at <= OLDEST_MS);
  const before = kept.at(-2);
  const crowded = before !== undefined && (kept.at(-1) as Sample).at - before.at < LEAST_GAP_MS;
  return [...(crowded ? kept.slice(0, -1) : kept), sample].slice(-KEPT_SAMPLES);
}

export function ratesOf(samples: readonly Sample[]): Rates {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || samples.length < LEAST_SAMPLES || last.at - first.at < LEAST_SPAN_MS) {
    return { rate: undefined, closing: undefined };
  }
  const rate = medianSlope(samples.map(({ at, current }) => [at, current]));
  const measured = samples.flatMap(({ at, behind }): [number, number][] =>
    behind === undefined ? [] : [[at, behind]]
  );
  const falling = measured.length < LEAST_SAMPLES ? undefined : medianSlope(measured);
  return {
    rate: rate === undefined ? undefined : Math.max(0, rate),
    closing: falling === undefined ? undefined : 0 - falling,
  };
}

/** Change of y per minute; undefined if all points have the same time. */
function medianSlope(points: readonly (readonly [at: number, y: number])[]): number | undefined {
  const slopes: number[] = [];
  for (const [index, [at, y]] of points.entries()) {
    for (let other = 0; other < index; other += 1) {
      const [before, from] = points[other] as readonly [number, number];
      if (at > before) {
        slopes.push((y - from) / (at - before));
      }
    }
  }
  const median = medianOf(Float64Array.from(slopes).sort());
  return median === undefined ? undefined : median * MINUTE_MS;
}

function medianOf(sorted: Float64Array): number | undefined {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : meanOf(sorted[middle - 1], sorted[middle]);
}

const meanOf = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : (a + b) / 2;

/** Longer estimates are not shown. */
const LONGEST_SECONDS = 400 * 24 * 3600;

/**
 * @param behind blocks
 * @returns null: unknown
 */
export function secondsLeft(behind: number | undefined, { closing }: Rates): number | null {
  if (behind === undefined || closing === undefined || closing <= 0) {
    return null;
  }
  const seconds = Math.round((behind / closing) * 60);
  return seconds > LONGEST_SECONDS ? null : seconds;
}
