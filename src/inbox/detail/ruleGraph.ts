/**
 * The values of a rule's queries around an alert: requests to Grafana and what their responses mean. Pure. Shapes: GET
 * /api/ruler/grafana/api/v1/rule/{uid} and POST /api/ds/query of Grafana 12.4.
 */
import type { z } from 'zod';
import { HOUR_MS } from '@nodebell/contract/time.ts';
import type { SparkData } from '../../components/sparkPath';
import { isExpression, type Rule, type RuleQuery } from '../../thresholds/rules/rule';
import { asRange, type responseSchema, samplesOf } from '../../thresholds/rules/week';
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

/** Body of POST /api/ds/query. */
export const queryBody = (data: readonly RuleQuery[], range: Range) => ({
  from: String(range.from),
  to: String(range.to),
  queries: rangeQueries(data).map((query) => ({ ...query, intervalMs: stepMs(range), maxDataPoints: POINTS })),
});

type Labels = Readonly<Record<string, string>>;

/** The values of one query. */
export interface QuerySeries extends SparkData {
  refId: string;
}

/**
 * The series of the alert: all its labels are labels of the alert, which has those of the rule besides.
 * @returns undefined if there is none, or no value
 */
export function seriesOf(
  { results }: z.infer<typeof responseSchema>,
  alert: Labels,
  range: Range
): QuerySeries | undefined {
  const fits = (labels: Labels | null | undefined): boolean =>
    Object.entries(labels ?? {}).every(([name, value]) => name === '__name__' || alert[name] === value);
  const all = Object.entries(results).flatMap(([refId, { frames }]) =>
    (frames ?? []).map((one) => ({ refId, ...one }))
  );
  for (const { refId, schema, data } of all) {
    const times = data.values[schema.fields.findIndex(({ type }) => type === 'time')];
    const at = schema.fields.findIndex(({ type, labels }) => type === 'number' && fits(labels));
    // Not all data sources keep to the range.
    const samples = samplesOf(times ?? [], data.values[at] ?? [])
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
  const { uid } = first['datasource'] as { uid: string };
  const pane = { datasource: uid, queries, range: { from: String(range.from), to: String(range.to) } };
  return `/explore?schemaVersion=1&panes=${urlValue(JSON.stringify({ alert: pane }))}`;
}
