/** Responses of the report: see {@link Read}. */
import type { ReportBy, ReportFigures } from '../../../contract/report.ts';
import { csvLine } from '../../platform/http/csv.ts';
import { json, type Read, text } from '../../platform/storage/read.ts';
import { dateOf, reportOf, type ReportQuery, rowsOfWeek, type Subject } from './store.ts';

export const readReport: Read<ReportQuery> = async (db, query) => json(await reportOf(db, query));

/** All rows of one week, as lines of CSV. */
export const readReportWeek: Read<{ week: number; by: ReportBy }> = async (db, { week, by }) =>
  text((await rowsOfWeek(db, week, by)).map((row) => csvLine([dateOf(week), ...cellsOf(row)])).join(''));

export const REPORT_COLUMNS = [
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
