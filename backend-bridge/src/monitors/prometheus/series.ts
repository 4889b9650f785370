/** Values of a query at even distances, and what is made of them. Pure. */
import type { Operator } from '../../../contract/condition.ts';
import { DRAWN_SECONDS } from '../../../contract/history.ts';

export interface Series {
  /** Unix seconds of the first value. */
  start: number;
  /** Seconds from one value to the next. */
  step: number;
  /** NaN: there is no value at that time. */
  values: Float64Array;
  /** The query gives more series than this one. */
  hasOthers: boolean;
}

/** Steps of what is drawn: a point for each five minutes. */
const DRAWN_STEPS = 288;

/**
 * How often a rule `value OP threshold` would have begun to fire.
 *
 * The rule is that of the rules that are written for Grafana and Prometheus (monitors/alertRule.ts), which fire when their expression
 * has held at every evaluation for as long as `for` says: (failure-threshold - 1) × interval, from the first failing check to the one
 * at which Gatus would alert. Here the evaluations are the values of the series. A run is as many values in a row as violate; it counts
 * once, when its last value is at least `forSeconds` later than its first. A time without a value ends a run, as it does in Prometheus.
 * A run that had begun before the first value, or has not ended at the last, is counted by the part that is there. What is shorter than
 * a step is not seen, and what is healthy between two values is taken for violating.
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
 * The last 24 hours, for drawing: of the values of each step the one that is the nearest to an alert, so that a peak that alerts is
 * one that is seen. Infinite values cannot be drawn and are left out.
 * @param operator of the alert; for == and != the last value of each step is taken
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

/** @returns Unix seconds of the first value; undefined where there is none */
export function firstTime({ start, step, values }: Series): number | undefined {
  const index = values.findIndex((value) => !Number.isNaN(value));
  return index === -1 ? undefined : start + index * step;
}
