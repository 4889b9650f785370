import { dataFrameFromJSON, type DataFrameJSON } from '@grafana/data';
import { describe, expect, it } from 'vitest';
import list from '../../../tests/fixtures/grafana-rules/list.json' with { type: 'json' };
import week from '../../../tests/fixtures/grafana-rules/week.json' with { type: 'json' };
import { rulerSchema, rulesOf, type Rule, type RuleThreshold } from './rule';
import { drawnLine, firedInWeek, readWeek, sliderRange, weekRequest, WEEK_MS } from './week';

const [high, range] = rulesOf(rulerSchema.parse(list.body)) as [Rule, Rule];
const of = (rule: Rule) => rule.threshold as RuleThreshold;
const START = Date.UTC(2026, 0, 5);
const END = START + WEEK_MS;

describe('the request', () => {
  it('runs the query as a range, and passes on what a reduce expression reduces', () => {
    const { targets, ...request } = weekRequest(high, of(high), END);
    expect(request).toEqual({ from: START, to: END, maxDataPoints: 2016, intervalMs: 300_000 });
    expect(targets).toMatchObject([
      { refId: 'A', scenarioId: 'csv_content', datasource: { uid: 'testdata' } },
      { refId: 'B', type: 'math', expression: '${A}', datasource: { uid: '__expr__' } },
    ]);
  });

  it('has the queries of math expressions, and makes instant queries ranges', () => {
    const expr = { datasourceUid: '__expr__' };
    const data = [
      { refId: 'A', datasourceUid: 'p', model: { expr: 'a', instant: true, range: false } },
      { refId: 'the B', datasourceUid: 'l', model: { expr: 'b', queryType: 'instant' } },
      { refId: 'Z', datasourceUid: 'p', model: { expr: 'unused' } },
      { refId: 'C', ...expr, model: { type: 'math', expression: '$A / ${the B}' } },
    ];
    expect(weekRequest({ ...high, data }, { input: 'C' }, END).targets).toMatchObject([
      { refId: 'A', instant: false, range: true },
      { refId: 'the B', queryType: 'range' },
      { refId: 'C', type: 'math' },
    ]);
  });
});

describe('the recorded response', () => {
  const frames = Object.entries(week.body.results).flatMap(([refId, result]) =>
    result.frames.map((one) => ({ ...dataFrameFromJSON(one as DataFrameJSON), refId }))
  );
  const read = readWeek(frames, high, of(high), END);

  it('has the values of the week', () => {
    expect(read.series).toHaveLength(1);
    expect(read.series[0]?.samples.slice(0, 2)).toEqual([
      [START, 60],
      [START + 21_600_000, 73],
    ]);
    expect(drawnLine(read, of(high))).toHaveLength(28);
  });

  it('is counted with the recovery threshold', () => {
    const above = read.series[0]?.samples.filter(([, value]) => value > 80).length ?? 0;
    const fired = (limit: number, recovery: number) =>
      firedInWeek(read, { forSeconds: 0, keepFiringSeconds: 0 }, of(high), { params: [limit], recovery: [recovery] });
    expect(fired(200, 70)).toBe(0);
    expect(fired(80, 61)).toBeLessThan(fired(80, 80));
    expect(fired(80, 80)).toBeLessThanOrEqual(above);
  });

  it('is reduced over the time range of the rule', () => {
    const long = { ...range, data: range.data.map((one) => ({ ...one, relativeTimeRange: { from: 43_200, to: 0 } })) };
    expect(readWeek(frames, long, of(range), END).series[0]?.samples.slice(0, 3)).toEqual([
      [START, 60],
      [START + 21_600_000, 66.5],
      [START + 43_200_000, 79.5],
    ]);
  });

  it('is cut to the week, as not every data source does it', () => {
    const later = readWeek(frames, high, of(high), END + WEEK_MS - 12 * 3_600_000);
    expect(later.series.flatMap(({ samples }) => samples.map(([time]) => time))).toEqual([
      END - 12 * 3_600_000,
      END - 6 * 3_600_000,
    ]);
    expect(readWeek(frames, high, of(high), START + 2 * WEEK_MS).series).toEqual([]);
  });
});

it.each([
  [[60, 99, 80], { min: 50, max: 110 }],
  [[0.2, 0.9], { min: 0, max: 1.1 }],
  [[5], { min: 3, max: 7 }],
  [[0], { min: 0, max: 1 }],
  [[-10, 10], { min: -20, max: 20 }],
  [[1000, 5_000_000], { min: 0, max: 7_000_000 }],
])('%j fits a slider', (values, expected) => {
  expect(sliderRange(values)).toEqual(expected);
});
