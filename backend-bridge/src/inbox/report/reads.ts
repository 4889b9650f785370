/** Responses of the report: see {@link Read}. */
import type { ReportBy, ReportFigures } from '../../../contract/report.ts';
import { csvLine } from '../../platform/http/csv.ts';
import { json, type Read, text } from '../../platform/storage/read.ts';
import { dateOf, reportOf, type ReportQuery, rowsOfWeek, type Subject } from './store.ts';

export const readReport: Read<ReportQuery> = async (db, query) => json(await reportOf(db, query));

/** All rows of one week, as lines of CSV. */
export const readReportWeek: Read<{ week: number; by: ReportBy }> = async (db, { week, by }) =>
  text((await rowsOfWeek(db, week, by)).map((row) => csvLine([dateOf(week), ...cellsOf(row)])).join(''));

/** Members of a row by the name of their column. */
const MEMBERS: Readonly<Record<string, keyof (Subject & ReportFigures)>> = {
  source: 'source',
  rule: 'rule',
  package: 'dnpName',
  category: 'category',
  notifications: 'notifications',
  fired: 'fired',
  flapping: 'flapping',
  resolved: 'resolved',
  notActedOn: 'notActedOn',
  acknowledged: 'acknowledged',
  timeToAcknowledgeSeconds: 'timeToAcknowledge',
  timeToResolveSeconds: 'timeToResolve',
  openSeconds: 'openSeconds',
  longestOpenSeconds: 'longestOpenSeconds',
};
export const REPORT_COLUMNS = ['week', ...Object.keys(MEMBERS)];

const cellsOf = (row: Subject & ReportFigures): string[] =>
  Object.values(MEMBERS).map((member) => String(row[member] ?? ''));
