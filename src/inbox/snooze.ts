/** When snoozed threads come back, in the time zone of the user. Pure. */
import { type DateTime, dateTimeForTimeZone } from '@grafana/data';

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
