/** Evenly spaced values of a query: how often a rule would have fired, and the points to draw. Pure. */
import type { Operator } from '../../../../contract/condition.ts';
import { DRAWN_SECONDS } from '../../../../contract/history.ts';

export interface Series {
  /** Unix seconds of the first value. */
  start: number;
  /** Seconds from one value to the next. */
  step: number;
  /** NaN: no value at that time. */
  values: Float64Array;
  /** The query returns further series. */
  hasOthers: boolean;
}

/** Points to draw: one per five minutes. */
const DRAWN_STEPS = 288;

/**
 * Counts how often a rule `value OP threshold` would have fired.
 *
 * As the rules for Grafana and Prometheus (monitoring/monitors/alertRule.ts): they fire when the expression has held at every evaluation for the
 * duration `for`, which is (failure-threshold - 1) × interval. Here the evaluations are the values of the series. A run of violating
 * values counts once, if its last value is at least `forSeconds` later than its first. A missing value ends a run, as in Prometheus. Runs
 * at the start and the end of the series count by their visible part. Changes between two values are not seen.
 *
 * @param operator of the alert, not of the condition
 */
export function timesFired(
  { values, step }: Pick<Series, 'values' | 'step'>,
  operator: Operator,
  threshold: number,
  forSeconds: number
): number {
  const needed = Math.ceil(forSeconds / step) + 1;
  let run = 0;
  let fired = 0;
  for (const value of values) {
    run = !Number.isNaN(value) && holds(value, operator, threshold) ? run + 1 : 0;
    if (run === needed) {
      fired += 1;
    }
  }
  return fired;
}

function holds(value: number, operator: Operator, threshold: number): boolean {
  switch (operator) {
    case '>':
      return value > threshold;
    case '>=':
      return value >= threshold;
    case '<':
      return value < threshold;
    case '<=':
      return value <= threshold;
    case '==':
      return value === threshold;
    case '!=':
      return value !== threshold;
  }
}

export interface Drawn {
  stepSeconds: number;
  samples: [seconds: number, value: number][];
}

/**
 * The last 24 hours: of each step the value closest to an alert, so that a peak that fires is visible. Infinite values are left out.
 * @param operator of the alert; == and != take the last value of each step
 */
export function drawn({ start, step, values }: Series, operator: Operator): Drawn {
  const each = Math.max(1, Math.ceil(DRAWN_SECONDS / step / DRAWN_STEPS));
  const samples: Drawn['samples'] = [];
  const wanted = Math.floor(DRAWN_SECONDS / step);
  for (let end = values.length; end > values.length - wanted && end > 0; end -= each) {
    const part = values.subarray(Math.max(0, end - each), end).filter(Number.isFinite);
    const value = worst(part, operator);
    if (value !== undefined) {
      samples.unshift([start + (end - 1) * step, value]);
    }
  }
  return { stepSeconds: each * step, samples };
}

function worst(part: Float64Array, operator: Operator): number | undefined {
  if (part.length === 0) {
    return undefined;
  }
  if (operator.startsWith('>')) {
    return Math.max(...part);
  }
  return operator.startsWith('<') ? Math.min(...part) : part.at(-1);
}

/** @returns Unix seconds of the first value; undefined if there is none */
export function firstTime({ start, step, values }: Series): number | undefined {
  const index = values.findIndex((value) => !Number.isNaN(value));
  return index === -1 ? undefined : start + index * step;
}
