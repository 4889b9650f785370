/** Counts how often a rule would have fired. Pure. */
import type { RuleOperator, RuleThreshold, RuleValues } from './rule';

/** UTC milliseconds and value, oldest first. */
export type Sample = readonly [number, number];

type Test = (value: number, first: number, second: number) => boolean;

const TESTS: Readonly<Record<RuleOperator, Test>> = {
  gt: (value, first) => value > first,
  gte: (value, first) => value >= first,
  lt: (value, first) => value < first,
  lte: (value, first) => value <= first,
  eq: (value, first) => value === first,
  ne: (value, first) => value !== first,
  within_range: (value, low, high) => value > low && value < high,
  within_range_included: (value, low, high) => value >= low && value <= high,
  outside_range: (value, low, high) => value < low || value > high,
  outside_range_included: (value, low, high) => value <= low || value >= high,
};

/** Compares like Grafana's threshold expressions. */
export const matches = (value: number, operator: RuleOperator, [first = 0, second = 0]: readonly number[]): boolean =>
  TESTS[operator](value, first, second);

export interface Timing {
  /** The pending period, in seconds. */
  forSeconds: number;
  keepFiringSeconds: number;
  /** Seconds between samples. A distance of more than 1.5 of them is a gap. */
  stepSeconds: number;
}

/**
 * Counts how often one series would have begun to fire. It is pending from the first sample over the threshold and fires `forSeconds`
 * later, if all samples until then are over it. Of a rule with a recovery threshold, a pending or firing series stays over the threshold
 * until the recovery threshold matches. A firing series recovers for `keepFiringSeconds`, and fires on if it is over the threshold again by
 * then. A gap ends all of this: Grafana has another state for a query without data.
 */
export function timesFired(
  samples: readonly Sample[],
  { operator, recoveryOperator }: Pick<RuleThreshold, 'operator' | 'recoveryOperator'>,
  { params, recovery }: RuleValues,
  { forSeconds, keepFiringSeconds, stepSeconds }: Timing
): number {
  let fired = 0;
  let before = 0;
  let state: State = NORMAL;
  for (const [time, value] of samples) {
    if (time - before > 1500 * stepSeconds) {
      state = NORMAL;
    }
    before = time;
    const held = (state.name === 'pending' || state.name === 'firing') && recovery && recoveryOperator;
    const over = held ? !matches(value, recoveryOperator, recovery) : matches(value, operator, params);
    const next = nextState(state, over, time, { forSeconds, keepFiringSeconds });
    if (next.name === 'firing' && state.name !== 'firing' && state.name !== 'recovering') {
      fired += 1;
    }
    state = next;
  }
  return fired;
}

interface State {
  name: 'normal' | 'pending' | 'firing' | 'recovering';
  /** UTC milliseconds. */
  since: number;
}

const NORMAL: State = { name: 'normal', since: 0 };

function nextState(
  { name, since }: State,
  over: boolean,
  time: number,
  { forSeconds, keepFiringSeconds }: Omit<Timing, 'stepSeconds'>
): State {
  const active = name === 'firing' || name === 'recovering';
  if (over) {
    const from = name === 'normal' ? time : since;
    return active || time - from >= 1000 * forSeconds
      ? { name: 'firing', since: from }
      : { name: 'pending', since: from };
  }
  const from = name === 'recovering' ? since : time;
  return active && time - from < 1000 * keepFiringSeconds ? { name: 'recovering', since: from } : NORMAL;
}
