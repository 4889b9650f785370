/** Durations, and dates and times in the user's time zone and language. The current time is passed in. */
import { getTimeZone } from '@grafana/data';
import { formatMoment } from '../i18n/locale';
import { t } from '../i18n/t';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration: "33 min", "1 h 8 min", "2 d 3 h". */
export function duration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE) {
    return seconds(Math.floor(length / SECOND));
  }
  if (length < HOUR) {
    return minutes(Math.floor(length / MINUTE));
  }
  if (length < DAY) {
    return join(hours(Math.floor(length / HOUR)), minutes, Math.floor((length % HOUR) / MINUTE));
  }
  return join(days(Math.floor(length / DAY)), hours, Math.floor((length % DAY) / HOUR));
}

const join = (big: string, unit: (count: number) => string, small: number): string =>
  small > 0 ? `${big} ${unit(small)}` : big;

/** "5 s", "5 min", "5 h", "5 d". */
export const seconds = (n: number): string => t('parts.time.seconds', '{{n, number}} s', { n });
export const minutes = (n: number): string => t('parts.time.minutes', '{{n, number}} min', { n });
export const hours = (n: number): string => t('parts.time.hours', '{{n, number}} h', { n });
export const days = (n: number): string => t('parts.time.days', '{{n, number}} d', { n });

/**
 * The age: "now", "6 min", "3 h", "5 d".
 * @returns undefined after a week, when a date is clearer
 */
export function ago(timestamp: string, now: number): string | undefined {
  const age = now - Date.parse(timestamp);
  if (age < MINUTE) {
    return t('parts.time.now', 'now');
  }
  if (age < HOUR) {
    return minutes(Math.floor(age / MINUTE));
  }
  if (age < DAY) {
    return hours(Math.floor(age / HOUR));
  }
  return age < 7 * DAY ? days(Math.floor(age / DAY)) : undefined;
}

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
/** The same for all moments of a day. For comparison, not for display. */
export const dayOf = (timestamp: string | number): string =>
  format(timestamp, { ...YEAR, month: '2-digit', day: '2-digit' });

/** The shortest form: "6 min", "3 h", "14 Nov", "14 Nov 2025". */
export function listTime(timestamp: string, now: number): string {
  const sameYear = format(timestamp, YEAR) === format(now, YEAR);
  return ago(timestamp, now) ?? (sameYear ? shortDate(timestamp) : fullDate(timestamp));
}

/** "10:03", with the date unless it is today. */
export function momentLabel(timestamp: string, now: number): string {
  return dayOf(timestamp) === dayOf(now) ? clockTime(timestamp) : format(timestamp, { ...DATE, ...TIME });
}
