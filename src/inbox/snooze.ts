/** When snoozed threads come back, in the time zone of the user. Pure. */
import { type DateTime, dateTimeForTimeZone, dateTimeParse } from '@grafana/data';

export const PRESETS = ['hour', 'tomorrow', 'monday'] as const;
export type Preset = (typeof PRESETS)[number];

const MORNING = 8;

/**
 * @param now UTC milliseconds
 * @param zone an IANA time zone, `utc` or `browser`
 * @returns ISO 8601, UTC
 */
export function presetEnd(preset: Preset, now: number, zone: string): string {
  if (preset === 'hour') {
    return new Date(now + 3_600_000).toISOString();
  }
  const today = dateTimeForTimeZone(zone, now).startOf('day');
  const weekday = today.isoWeekday() as number;
  // Days of the calendar, which have 23 or 25 hours when summer time begins or ends.
  return at(today.add(preset === 'tomorrow' ? 1 : 8 - weekday, 'days'), MORNING);
}

function at(day: DateTime, hour: number): string {
  day.set('hour', hour);
  return day.toISOString();
}

/**
 * A moment as an input of the type `datetime-local` has it.
 * @returns ISO 8601, UTC; undefined if it is not complete
 */
export function momentEnd(local: string, zone: string): string | undefined {
  const moment = dateTimeParse(local.replace('T', ' '), { timeZone: zone, format: 'YYYY-MM-DD HH:mm' });
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(local) && moment.isValid() ? moment.toISOString() : undefined;
}
