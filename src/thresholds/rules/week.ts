/**
 * The values of a rule's query in the last week: the queries and what their frames mean. Pure. A rule reduces its queries to one number for each evaluation; for a week, the queries run as ranges and their expressions over all of it. A reduce
 * expression becomes the expression `$A`, which returns its input.
 */
import { type DataFrame, FieldType, type Labels } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import type { RangeQueries } from '../../api/queries';
import { isExpression, type Rule, type RuleQuery, type RuleThreshold, type RuleValues } from './rule';
import { timesFired, type Sample, type Timing } from './fired';

export const WEEK_MS = 7 * 86_400_000;
const MAX_POINTS = 2016;
/** Series that are drawn and counted: one for each alert instance. */
export const MAX_SERIES = 50;

export interface Series {
  /** "instance=a, job=b"; empty if the query has one series without labels. */
  name: string;
  samples: Sample[];
}

export interface Week {
  series: Series[];
  /** Series beyond {@link MAX_SERIES}. */
  omitted: number;
  /** UTC milliseconds. */
  from: number;
  to: number;
  stepSeconds: number;
}

/** Seconds between values: the interval of the rule, if a week of it is not too much. */
export const stepOf = ({ intervalSeconds }: Pick<Rule, 'intervalSeconds'>): number =>
  Math.max(intervalSeconds, WEEK_MS / 1000 / MAX_POINTS);

/** @param now UTC milliseconds */
export function weekRequest(rule: Rule, { input }: Pick<RuleThreshold, 'input'>, now: number): RangeQueries {
  const needed = inputsOf(rule.data, input);
  return {
    from: now - WEEK_MS,
    to: now,
    intervalMs: 1000 * stepOf(rule),
    maxDataPoints: MAX_POINTS,
    targets: rule.data.filter(({ refId }) => needed.has(refId)).map(asRange),
  };
}

/** The queries and expressions that an expression depends on, itself included. */
function inputsOf(data: readonly RuleQuery[], refId: string, found = new Set<string>()): Set<string> {
  const query = data.find((one) => one.refId === refId);
  if (query && !found.has(refId)) {
    found.add(refId);
    const { expression } = query.model;
    if (isExpression(query) && typeof expression === 'string') {
      const names = query.model.type === 'math' ? namesOf(expression) : [expression.replace(/^\$/, '')];
      names.forEach((name) => inputsOf(data, name, found));
    }
  }
  return found;
}

/** Queries named in a math expression: "$A + ${the query}". */
const namesOf = (expression: string): string[] =>
  [...expression.matchAll(/\$(?:\{([^}]+)\}|(\w+))/g)].map(([, braced, bare]) => braced ?? bare ?? '');

/** The query of an instant as one of a range. */
export function asRange(query: RuleQuery): DataQuery {
  const { refId, datasourceUid, model } = query;
  if (isExpression(query)) {
    const { type, expression } = model;
    const passed = type === 'reduce' && typeof expression === 'string';
    const math = passed ? { type: 'math', expression: `\${${expression.replace(/^\$/, '')}}` } : model;
    return { ...math, refId, datasource: { type: datasourceUid, uid: datasourceUid }, hide: false };
  }
  return {
    ...model,
    ...{ refId, datasource: { uid: datasourceUid }, hide: false },
    // An instant query of Prometheus or Loki has one value only.
    ...(model['instant'] === true && { instant: false, range: true }),
    ...(model['queryType'] === 'instant' && { queryType: 'range' }),
  };
}

export function readWeek(frames: readonly DataFrame[], rule: Rule, threshold: RuleThreshold, now: number): Week {
  const all = frames
    .filter(({ refId }) => refId === threshold.input)
    .flatMap(seriesOf)
    .map(({ name, samples }) => ({ name, samples: samples.filter(([time]) => time >= now - WEEK_MS && time <= now) }))
    .filter(({ samples }) => samples.length > 0);
  const { seconds, reduce } = reducerOf(rule, threshold);
  return {
    series: all
      .slice(0, MAX_SERIES)
      .map(({ name, samples }) => ({ name, samples: reduceWindows(samples, 1000 * seconds, reduce) })),
    omitted: Math.max(0, all.length - MAX_SERIES),
    from: now - WEEK_MS,
    to: now,
    stepSeconds: stepOf(rule),
  };
}

function seriesOf({ fields }: DataFrame): Series[] {
  const time = fields.find(({ type }) => type === FieldType.time);
  return time === undefined
    ? []
    : fields.flatMap(({ type, name, labels = {}, values }) =>
        type === FieldType.number ? [{ name: nameOf(labels, name), samples: samplesOf(time.values, values) }] : []
      );
}

function nameOf(labels: Labels, field: string): string {
  const own = Object.entries(labels).filter(([name]) => name !== '__name__');
  return own.length > 0 ? own.map(([name, value]) => `${name}=${value}`).join(', ') : field;
}

/** UTC milliseconds and values. */
export const samplesOf = (times: readonly unknown[], values: readonly unknown[]): Sample[] =>
  times.flatMap((time, index) => {
    const value = values[index];
    return typeof time === 'number' && typeof value === 'number' && Number.isFinite(value)
      ? [[time, value] as const]
      : [];
  });

type Reduce = (values: readonly number[]) => number;

const sum: Reduce = (values) => values.reduce((all, value) => all + value, 0);
const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
const at = (values: readonly number[], index: number): number => values[index] ?? Number.NaN;

function median(values: readonly number[]): number {
  const ordered = sorted(values);
  const middle = ordered.length / 2;
  return (at(ordered, Math.floor(middle)) + at(ordered, Math.ceil(middle) - 1)) / 2;
}

/** Reducers of reduce expressions and classic conditions; others, and queries of rules without one, take the last value. */
const REDUCERS: Readonly<Record<string, Reduce>> = {
  sum,
  mean: (values) => sum(values) / values.length,
  avg: (values) => sum(values) / values.length,
  min: (values) => at(sorted(values), 0),
  max: (values) => at(sorted(values), values.length - 1),
  median,
  count: (values) => values.length,
};

/** The function that reduces the values of each evaluation, and of how many seconds. */
function reducerOf({ data }: Rule, { input, reducer }: RuleThreshold): { seconds: number; reduce: Reduce | undefined } {
  const node = data.find(({ refId }) => refId === input);
  const isReduce = isExpression(node) && node.model.type === 'reduce';
  const { reducer: own, expression } = node?.model ?? {};
  const name = reducer ?? (isReduce && typeof own === 'string' ? own : 'last');
  const query = isReduce
    ? data.find(({ refId }) => typeof expression === 'string' && refId === expression.replace(/^\$/, ''))
    : node;
  return { seconds: query?.relativeTimeRange?.from ?? 0, reduce: REDUCERS[name] };
}

/** Reduces the samples of the window that ends with each sample. */
function reduceWindows(samples: Sample[], ms: number, reduce: Reduce | undefined): Sample[] {
  if (reduce === undefined) {
    return samples;
  }
  let start = 0;
  return samples.map(([time], index) => {
    while (start < index && (samples[start]?.[0] ?? time) <= time - ms) {
      start += 1;
    }
    return [time, reduce(samples.slice(start, index + 1).map(([, value]) => value))] as const;
  });
}

/** Counts how often the alert instances of a rule would have fired, in total. */
export function firedInWeek(
  { series, stepSeconds }: Pick<Week, 'series' | 'stepSeconds'>,
  rule: Pick<Rule, 'forSeconds' | 'keepFiringSeconds'>,
  threshold: RuleThreshold,
  values: RuleValues
): number {
  const { forSeconds, keepFiringSeconds } = rule;
  const timing: Timing = { forSeconds, keepFiringSeconds, stepSeconds: stepOfSamples(series, stepSeconds) };
  return series.reduce((all, { samples }) => all + timesFired(samples, threshold, values, timing), 0);
}

/** Data sources may return fewer points than requested: the median distance of the longest series. */
export function stepOfSamples(series: readonly Series[], stepSeconds: number): number {
  const longest = series.reduce<Sample[]>((most, { samples }) => (samples.length > most.length ? samples : most), []);
  const distances = longest.slice(1).map(([time], index) => (time - (longest[index]?.[0] ?? time)) / 1000);
  return distances.length === 0 ? stepSeconds : Math.max(stepSeconds, median(distances));
}

/** The values to draw: of each step the one that is closest to an alert. */
export function drawnLine({ series, stepSeconds }: Week, { operator }: Pick<RuleThreshold, 'operator'>): Sample[] {
  const low = operator.startsWith('lt');
  const worst = new Map<number, number>();
  for (const { samples } of series) {
    for (const [time, value] of samples) {
      const step = Math.round(time / 1000 / stepSeconds) * stepSeconds;
      const before = worst.get(step);
      worst.set(step, before === undefined ? value : low ? Math.min(before, value) : Math.max(before, value));
    }
  }
  return [...worst].sort(([a], [b]) => a - b);
}

/** The ends of a slider: round numbers around the values of the week and of the rule. */
export function sliderRange(values: readonly number[]): { min: number; max: number } {
  const finite = values.filter(Number.isFinite);
  const least = finite.reduce((a, b) => Math.min(a, b), finite[0] ?? 0);
  const most = finite.reduce((a, b) => Math.max(a, b), finite[0] ?? 0);
  const span = most > least ? most - least : Math.abs(most) || 1;
  const unit = 10 ** Math.floor(Math.log10(span));
  const min = Math.floor((least - span / 4) / unit) * unit;
  const max = Math.ceil((most + span / 4) / unit) * unit;
  // Most values are never negative.
  return { min: tidy(least >= 0 ? Math.max(0, min) : min), max: tidy(max) };
}

const tidy = (value: number): number => Number(value.toPrecision(12));
