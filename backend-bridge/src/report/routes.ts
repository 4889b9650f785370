/** Operation `getReport`: JSON or CSV. */
import type { NOTIFICATIONS } from '../../contract/api/notifications.ts';
import { type ReportBy, type ReportFigures, weekOf } from '../../contract/report.ts';
import { csvLine } from '../http/csv.ts';
import type { Handlers } from '../http/serve.ts';
import { writeTexts } from '../http/texts.ts';
import { dateOf, type ReportStore, type ReportWeeks, type Subject, weekOfDate } from './store.ts';

/** @param now UTC milliseconds */
export const reportHandlers = (
  store: ReportStore,
  now: () => number
): Handlers<Pick<typeof NOTIFICATIONS, 'getReport'>> => ({
  async getReport({ query, req, res }) {
    const { by = 'rule', to, weeks = 1, sort = 'notifications', limit = 100, format } = query;
    const last = to === undefined ? weekOf(now()) : weekOfDate(to);
    const range = { first: last - weeks + 1, last };
    const csv = format === undefined ? req.accepts(['application/json', 'text/csv']) === 'text/csv' : format === 'csv';
    if (!csv) {
      return store.read({ ...range, by, sort, limit, withOpen: last >= weekOf(now()) });
    }
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="nodebell-report-${dateOf(last)}.csv"`,
    });
    await writeTexts(res, csvOf(store, range, by));
    return undefined;
  },
});

/** One text for each week, so that an export of any length needs little memory. */
async function* csvOf(store: ReportStore, { first, last }: ReportWeeks, by: ReportBy): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for (let week = first; week <= last; week += 1) {
    yield (await store.week(week, by)).map((row) => csvLine([dateOf(week), ...cellsOf(row)])).join('');
  }
}

const COLUMNS = [
  'week',
  'source',
  'rule',
  'package',
  'category',
  'notifications',
  'fired',
  'flapping',
  'resolved',
  'notActedOn',
  'acknowledged',
  'timeToAcknowledgeSeconds',
  'timeToResolveSeconds',
  'openSeconds',
  'longestOpenSeconds',
];

const cellsOf = (row: Subject & ReportFigures): string[] =>
  [
    row.source,
    row.rule,
    row.dnpName,
    row.category,
    row.notifications,
    row.fired,
    row.flapping,
    row.resolved,
    row.notActedOn,
    row.acknowledged,
    row.timeToAcknowledge,
    row.timeToResolve,
    row.openSeconds,
    row.longestOpenSeconds,
  ].map((value) => String(value ?? ''));
