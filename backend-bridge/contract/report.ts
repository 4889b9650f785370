/** The report: noisiest alerts by week. Weeks are those of ISO 8601 in UTC: from Monday, 00:00. */
import { z } from 'zod';
import { component, countQuery, integer, list, nullable, object, oneOf, string } from './schema.ts';
import { SOURCES } from './notification.ts';
import { LIMITS } from './limits.ts';
import { DAY_MS } from './time.ts';

export const REPORT_BY = ['rule', 'package', 'category', 'source'] as const;
export type ReportBy = (typeof REPORT_BY)[number];

/** Weeks of `trend`. */
export const TREND_WEEKS = 12;

/** The number of the week of a moment. */
export const weekOf = (ts: number): number => Math.floor((ts / DAY_MS + 3) / 7);
/** When a week begins, UTC milliseconds. */
export const weekStart = (week: number): number => (week * 7 - 3) * DAY_MS;

const seconds = z.number().nonnegative();

/** Figures that can be sorted by. */
const COUNTS = {
  notifications: integer('Notifications that arrived, without muted ones and those with `errors`.'),
  fired: integer('Alerts that fired.'),
  flapping: integer('Alerts among `fired` that had been resolved less than an hour before.'),
  resolved: integer('Alerts that were resolved; the following figures are about these.'),
  notActedOn: integer(
    'Alerts that resolved although nobody had acknowledged, commented, snoozed, assigned, silenced or closed them.'
  ),
  acknowledged: integer('Alerts that had been acknowledged.'),
  openSeconds: seconds.describe('How long they were open, together.'),
} as const;
export const REPORT_SORTS = [
  'notifications',
  'fired',
  'flapping',
  'resolved',
  'notActedOn',
  'openSeconds',
  'timeToAcknowledge',
  'timeToResolve',
  'open',
] as const;
export type ReportSort = (typeof REPORT_SORTS)[number];

const figuresSchema = z.object({
  ...COUNTS,
  longestOpenSeconds: seconds.describe('The longest.'),
  timeToAcknowledge: seconds
    .nullable()
    .describe('From firing to the first acknowledgement, on average, in seconds; null: none was acknowledged.'),
  timeToResolve: seconds
    .nullable()
    .describe('From firing to being resolved, on average, in seconds; null: none was resolved.'),
  open: integer('Alerts that are open now, of rows with figures in these weeks; in this week, all.'),
  openSince: nullable('Since when the oldest of them is open; null: none is.', z.iso.datetime()),
});
export type ReportFigures = z.infer<typeof figuresSchema>;

const trend = list(
  `Notifications in each of ${TREND_WEEKS} weeks, of which the last one is the last of the report.`,
  z.int()
);

const rowSchema = z.object({
  source: oneOf('Source. With `by=source` and `by=rule`.', SOURCES).optional(),
  rule: string('Name of the alert rule; empty: none. With `by=rule`.').optional(),
  dnpName: string('Package. With `by=package` and `by=rule`.').optional(),
  category: string('Category. With `by=category` and `by=rule`.').optional(),
  ...figuresSchema.shape,
  trend,
  last: integer('Id of the newest notification; it may have been deleted.'),
});
export type ReportRow = z.infer<typeof rowSchema>;

const date = z.iso.date();
/** All weeks of a report have a year of four digits. */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '9998-12-31';

export const reportSchema = component('Report', 'Noisiest alerts.', {
  from: date.describe('The Monday on which the first week begins, in UTC.'),
  to: date.describe('The Monday after the last week.'),
  first: date.nullable().describe('The first week with figures; null: none.'),
  behind: integer('Notifications that have arrived and are not counted yet.'),
  total: object('Total of all rows, including omitted ones.', { ...figuresSchema.shape, trend }),
  rows: list('The highest first.', rowSchema),
  more: integer('Rows left out.'),
});
export type Report = z.infer<typeof reportSchema>;

export const reportQuerySchema = z.strictObject({
  by: oneOf('Grouping: one row per value.', REPORT_BY, { default: 'rule' }).optional(),
  to: date
    .refine((day) => day >= FIRST_DAY && day <= LAST_DAY, `from ${FIRST_DAY} to ${LAST_DAY}`)
    .optional()
    .describe(`A day of the last week, from ${FIRST_DAY} to ${LAST_DAY}. Default: today, in UTC.`),
  weeks: countQuery('Number of weeks.', LIMITS.reportWeeksAtOnce.value, 1),
  sort: oneOf('Column that rows are sorted by, the highest first.', REPORT_SORTS, {
    default: 'notifications',
  }).optional(),
  limit: countQuery('Rows in JSON.', LIMITS.reportRows.value, 100),
  format: oneOf('`csv`: a line for each row and week, all of them. Also by `Accept: text/csv`.', ['json', 'csv'], {
    default: 'json',
  }).optional(),
});
