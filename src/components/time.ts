/** Durations and ages. Pure: the current time is passed in. */
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
