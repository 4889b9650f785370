/** Operation `getReport`: JSON or CSV. */
import type { NOTIFICATIONS } from '../../../contract/api/notifications.ts';
import { weekOf } from '../../../contract/report.ts';
import { csvLine } from '../../platform/http/csv.ts';
import { readFor, sendRead } from '../../platform/http/sendRead.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { writeTexts } from '../../platform/http/texts.ts';
import type { Core } from '../../platform/core/area.ts';
import type { Answer } from '../../platform/storage/read.ts';
import { readReport, readReportWeek, REPORT_COLUMNS } from './reads.ts';
import { dateOf, type ReportWeeks, weekOfDate } from './store.ts';

export interface ReportDeps extends Pick<Core, 'reads' | 'now'> {
  /** Counts new arrivals; never rejects. */
  catchUp: () => Promise<void>;
}

export const reportHandlers = ({
  reads,
  catchUp,
  now,
}: ReportDeps): Handlers<Pick<typeof NOTIFICATIONS, 'getReport'>> => ({
  async getReport({ query, req, res }) {
    const { by = 'rule', to, weeks = 1, sort = 'notifications', limit = 100, format } = query;
    const last = to === undefined ? weekOf(now()) : weekOfDate(to);
    const range = { first: last - weeks + 1, last };
    const csv = format === undefined ? req.accepts(['application/json', 'text/csv']) === 'text/csv' : format === 'csv';
    await catchUp();
    if (!csv) {
      await sendRead(reads, res, readReport, { ...range, by, sort, limit, withOpen: last >= weekOf(now()) });
      return;
    }
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="nodebell-report-${dateOf(last)}.csv"`,
    });
    await writeTexts(
      res,
      csvOf((week) => readFor(reads, res, readReportWeek, { week, by }), range)
    );
  },
});

/** One text for each week, so that an export of any length needs little memory. */
async function* csvOf(
  weekOf: (week: number) => Promise<Answer>,
  { first, last }: ReportWeeks
): AsyncGenerator<Uint8Array | string> {
  yield csvLine(REPORT_COLUMNS);
  for (let week = first; week <= last; week += 1) {
    yield (await weekOf(week)).body ?? '';
  }
}
