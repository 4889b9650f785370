/** Moments as the user's time zone says them. */
import { dateTimeFormat } from '@grafana/data';
import { ago } from './time';

export const absoluteTime = (timestamp: string): string =>
  dateTimeFormat(timestamp, { format: 'ddd D MMM YYYY, HH:mm:ss' });
export const clockTime = (timestamp: string): string => dateTimeFormat(timestamp, { format: 'HH:mm' });
export const shortDate = (timestamp: string): string => dateTimeFormat(timestamp, { format: 'D MMM' });
export const dayOf = (timestamp: string): string => dateTimeFormat(timestamp, { format: 'YYYY-MM-DD' });

/** A time as short as it can be: "6 min", "3 h", "14 Nov", "14 Nov 2025". */
export function listTime(timestamp: string, now: number): string {
  const sameYear = dateTimeFormat(timestamp, { format: 'YYYY' }) === dateTimeFormat(now, { format: 'YYYY' });
  return ago(timestamp, now) ?? (sameYear ? shortDate(timestamp) : dateTimeFormat(timestamp, { format: 'D MMM YYYY' }));
}

/** "10:03", with its day when that is not today. */
export function momentWords(timestamp: string, now: number): string {
  return dayOf(timestamp) === dateTimeFormat(now, { format: 'YYYY-MM-DD' })
    ? clockTime(timestamp)
    : `${shortDate(timestamp)}, ${clockTime(timestamp)}`;
}
