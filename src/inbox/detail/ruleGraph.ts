/**
 * The values of a rule's queries around an alert: the queries and what their frames mean. Pure. Shape of the rule: GET
 * /api/ruler/grafana/api/v1/rule/{uid} of Grafana 12.4.
 */
import { type DataFrame, FieldType, type Labels } from '@grafana/data';
import { HOUR_MS } from '@nodebell/contract/time.ts';
import type { RangeQueries } from '../../api/queries';
import type { SparkData } from '../../components/sparkPath';
import { isExpression, type Rule, type RuleQuery } from '../../thresholds/rules/rule';
import { asRange, samplesOf } from '../../thresholds/rules/week';
import { urlValue } from '@nodebell/contract/url.ts';

const POINTS = 240;

/** UTC milliseconds. */
export interface Range {
  from: number;
  to: number;
}

/** An hour before and after the start of the alert, up to now. */
export const rangeAround = (startsAt: number, now: number): Range => ({
  from: startsAt - HOUR_MS,
  to: Math.min(startsAt + HOUR_MS, Math.max(now, startsAt + 60_000)),
});

/** The queries of the rule, without its expressions, for a range instead of an instant. */
const rangeQueries = (data: readonly RuleQuery[]) => data.filter((query) => !isExpression(query)).map(asRange);

const stepMs = ({ from, to }: Range): number => Math.max(1000, Math.round((to - from) / POINTS));

export const queriesAround = (data: readonly RuleQuery[], range: Range): RangeQueries => ({
  ...range,
  intervalMs: stepMs(range),
  maxDataPoints: POINTS,
  targets: rangeQueries(data),
});

/** The values of one query. */
export interface QuerySeries extends SparkData {
  refId: string;
}

/**
 * The series of the alert: all its labels are labels of the alert, which has those of the rule besides.
 * @returns undefined if there is none, or no value
 */
export function seriesOf(frames: readonly DataFrame[], alert: Labels, range: Range): QuerySeries | undefined {
  const fits = (labels: Labels = {}): boolean =>
    Object.entries(labels).every(([name, value]) => name === '__name__' || alert[name] === value);
  for (const { refId = '', fields } of frames) {
    const time = fields.find(({ type }) => type === FieldType.time);
    const number = fields.find(({ type, labels }) => type === FieldType.number && fits(labels));
    // Not all data sources keep to the range.
    const samples = samplesOf(time?.values ?? [], number?.values ?? [])
      .filter(([ms]) => ms >= range.from && ms <= range.to)
      .map(([ms, value]) => [ms / 1000, value] as const);
    if (samples.length > 0) {
      return {
        refId,
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        stepSeconds: distanceOf(samples),
        samples,
      };
    }
  }
  return undefined;
}

/** Reducers whose result is one of the values, or between them. */
const KEEPS = new Set<unknown>(['last', 'mean', 'avg', 'min', 'max', 'median']);

/**
 * Threshold of a query's values: one number, or the two ends of a range.
 * @returns undefined if it is not these values that are compared, or there is no such threshold
 */
export function thresholdFor(refId: string, { data, threshold }: Rule): readonly number[] | undefined {
  if (threshold === undefined) {
    return undefined;
  }
  const { input, reducer, params } = threshold;
  const node = data.find((one) => one.refId === input);
  const { type, expression, reducer: own } = node?.model ?? {};
  const isCompared = isExpression(node)
    ? type === 'reduce' && KEEPS.has(own) && [refId, `$${refId}`].includes(String(expression))
    : input === refId && (reducer === undefined || KEEPS.has(reducer));
  return isCompared ? params : undefined;
}

/** Data sources may return fewer points than requested: the median distance. */
function distanceOf(samples: SparkData['samples']): number {
  const distances = samples.slice(1).map(([time], index) => time - samples[index]![0]);
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 60;
}

/** Explore with the queries of the rule, below Grafana's own address. */
export function explorePath(data: readonly RuleQuery[], range: Range): string | undefined {
  const queries = rangeQueries(data);
  const first = queries[0];
  if (first === undefined) {
    return undefined;
  }
  const pane = {
    datasource: first.datasource?.uid,
    queries,
    range: { from: String(range.from), to: String(range.to) },
  };
  return `/explore?schemaVersion=1&panes=${urlValue(JSON.stringify({ alert: pane }))}`;
}
