import { expect, it } from 'vitest';
import { weekOf, weekStart } from '../../../contract/report.ts';
import { countArrivals, Tally } from './fold.ts';
import { ruleOf } from './kinds.ts';
import { dateOf, weekOfDate } from './store.ts';

const START = Date.UTC(2026, 10, 21, 10, 0, 0);
const SHOWN = { thread_id: 1, kind: 1, status_given: 1, muted: 0, hidden: 0, source: 'api' } as const;

it('an alert that fires less than an hour after it was resolved is flapping', () => {
  const tally = new Tally();
  const at = (minutes: number, status: string) => ({ ...SHOWN, ts: START + minutes * 60_000, status });
  const arrivals = [
    at(0, 'triggered'),
    at(1, 'resolved'),
    at(60, 'triggered'),
    at(61, 'resolved'),
    at(121, 'triggered'),
  ];
  countArrivals(tally, new Map(), arrivals);
  expect(tally.rows()).toMatchObject([{ fired: 3, flapping: 1 }]);
});

it('weeks begin on Monday in UTC', () => {
  expect(dateOf(weekOf(START))).toBe('2026-11-16');
  expect(weekOfDate('2026-11-22')).toBe(weekOf(START));
  expect(weekOfDate('2026-11-23')).toBe(weekOf(START) + 1);
  expect(weekOf(weekStart(2900))).toBe(2900);
  expect(weekOf(weekStart(2900) - 1)).toBe(2899);
});

it('reads the rule from the labels of an alert', () => {
  const of = (labels: unknown) => ruleOf(JSON.stringify({ alert: { labels } }));
  expect(of({ alertname: 'Disk full' })).toBe('Disk full');
  expect(of({ alertname: 'DatasourceNoData', rulename: 'Disk full' })).toBe('Disk full');
  expect([ruleOf(null), ruleOf('{}'), of({}), of({ alertname: 5 })]).toEqual(['', '', '', '']);
});
