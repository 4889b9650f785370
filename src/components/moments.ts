/** Dates and times in the user's time zone and language. */
import { dateTimeForTimeZone, dateTimeParse, getTimeZone } from '@grafana/data';
import { DAY_MS } from '@nodebell/contract/time.ts';
import { formatMoment } from '../i18n/locale';
import { ago } from './time';

const format = (moment: string | number, options: Intl.DateTimeFormatOptions): string =>
  formatMoment(moment, options, getTimeZone());

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DATE = { day: 'numeric', month: 'short' } as const;
const YEAR = { year: 'numeric' } as const;

/** "Sat, 14 Nov 2026, 10:03:09". */
export const absoluteTime = (timestamp: string): string =>
  format(timestamp, { weekday: 'short', ...DATE, ...YEAR, ...TIME, second: '2-digit' });
export const clockTime = (timestamp: string): string => format(timestamp, TIME);
export const shortDate = (timestamp: string): string => format(timestamp, DATE);
/** "14 Nov 2026". */
export const fullDate = (timestamp: string | number): string => format(timestamp, { ...DATE, ...YEAR });
/** "14 Nov 2026, 10:03". */
export const dateAndTime = (timestamp: string | number): string => format(timestamp, { ...DATE, ...YEAR, ...TIME });
/** Key of a day, the same for all its moments. For comparison, not for display. */
export const dayOf = (timestamp: string | number): string =>
  format(timestamp, { ...YEAR, month: '2-digit', day: '2-digit' });

/** The shortest form: "6 min", "3 h", "14 Nov", "14 Nov 2025". */
export function listTime(timestamp: string, now: number): string {
  const sameYear = format(timestamp, YEAR) === format(now, YEAR);
  return ago(timestamp, now) ?? (sameYear ? shortDate(timestamp) : fullDate(timestamp));
}

/** "10:03", with the date unless it is today, and the year unless it is this one. */
export function momentLabel(timestamp: string, now: number): string {
  if (dayOf(timestamp) === dayOf(now)) {
    return clockTime(timestamp);
  }
  const sameYear = format(timestamp, YEAR) === format(now, YEAR);
  return sameYear ? format(timestamp, { ...DATE, ...TIME }) : dateAndTime(timestamp);
}

/** "Mon 30 Nov, 10:03" in a time zone. */
export const momentIn = (timestamp: string | number, zone: string): string =>
  formatMoment(timestamp, { weekday: 'short', ...DATE, ...TIME }, zone);

/** "10:03", within six days "Mon 10:03", later with the date. */
export function soonLabel(timestamp: string, now: number): string {
  const isSoon = Date.parse(timestamp) - now < 6 * DAY_MS && dayOf(timestamp) !== dayOf(now);
  return isSoon ? format(timestamp, { weekday: 'short', ...TIME }) : momentLabel(timestamp, now);
}

/** Value of an input of the type `datetime-local`. @param ms UTC milliseconds */
export const inputOfMoment = (ms: number, zone: string): string =>
  dateTimeForTimeZone(zone, ms).format('YYYY-MM-DDTHH:mm');

/**
 * A moment as an input of the type `datetime-local` has it.
 * @returns ISO 8601, UTC; undefined if it is not complete
 */
export function momentOfInput(local: string, zone: string): string | undefined {
  const moment = dateTimeParse(local.replace('T', ' '), { timeZone: zone, format: 'YYYY-MM-DD HH:mm' });
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(local) && moment.isValid() ? moment.toISOString() : undefined;
}

/** With its date if it is older than a day. */
export const momentOf = (timestamp: string, now: number): string =>
  now - Date.parse(timestamp) < DAY_MS ? clockTime(timestamp) : dateAndTime(timestamp);
