/** View of the page, as in its URL. Pure. */
import { REPORT_BY, REPORT_SORTS, type ReportRow, weekOf, weekStart } from '@nodebell/contract/report.ts';
import { DAY_MS } from '@nodebell/contract/time.ts';
import type { ReportView } from '../api/report';

/** Weeks that a report can cover. */
export const SPANS = [1, 4, 12] as const;
const WEEK_MS = 7 * DAY_MS;

const dateOf = (ts: number): string => new Date(ts).toISOString().slice(0, 10);

/** Reads the query of the page; what is not understood is left out. */
export function readView(search: URLSearchParams): ReportView {
  const to = search.get('to') ?? '';
  const weeks = Number(search.get('weeks'));
  return {
    by: REPORT_BY.find((by) => by === search.get('by')) ?? 'rule',
    to: /^\d{4}-\d\d-\d\d$/.test(to) && !Number.isNaN(Date.parse(to)) ? to : undefined,
    weeks: SPANS.find((span) => span === weeks) ?? 1,
    sort: REPORT_SORTS.find((sort) => sort === search.get('sort')) ?? 'notifications',
  };
}

/** The query of the page, without what is the default. */
export function writeView({ by, to, weeks, sort }: ReportView): Record<string, string> {
  return {
    ...(by !== 'rule' && { by }),
    ...(to !== undefined && { to }),
    ...(weeks !== 1 && { weeks: String(weeks) }),
    ...(sort !== 'notifications' && { sort }),
  };
}

/** The view as many weeks later (or earlier) as it shows. @param now UTC milliseconds */
export function moved(view: ReportView, direction: 1 | -1, now: number): ReportView {
  const shown = view.to === undefined ? now : Date.parse(view.to);
  const next = weekStart(weekOf(shown)) + direction * view.weeks * WEEK_MS;
  return { ...view, to: weekOf(next) >= weekOf(now) ? undefined : dateOf(next) };
}

/** The last day before a date. */
export const dayBefore = (date: string): string => dateOf(Date.parse(date) - DAY_MS);

/** Key of a row. */
export const keyOf = ({ source, rule, dnpName, category }: ReportRow): string =>
  JSON.stringify([source, rule, dnpName, category]);
