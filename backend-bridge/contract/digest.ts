/** When digests are sent; weekdays, times and time zones. Semantics: docs/channels.md. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Patterns of a weekday, and of a time. */
export const DAY = WEEKDAYS.join('|');
export const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Whether the time zone is one of the IANA database, and not an offset. */
export function isZone(zone: string): boolean {
  try {
    return /^[A-Z][\w+/-]{0,63}$/i.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** When a digest is sent. */
export type Schedule =
  { every: 'hour' } | { every: 'day' | 'week'; time: string; zone: string; weekday: number | undefined };

const SCHEDULE = new RegExp(`^(?:(hourly)|(?:daily|weekly (${DAY})) (${TIME.source.slice(1, -1)})(?: (\\S+))?)$`);

/** @param text `hourly`, `daily 08:00`, `weekly mon 08:00 Europe/Berlin` @returns undefined: it is not one */
export function readSchedule(text: string): Schedule | undefined {
  const [matches, hourly, day, time, named = 'UTC'] = SCHEDULE.exec(text) ?? [];
  if (hourly !== undefined) {
    return { every: 'hour' };
  }
  if (matches === undefined || time === undefined || !isZone(named)) {
    return undefined;
  }
  const weekday = day === undefined ? undefined : WEEKDAYS.indexOf(day as Weekday) + 1;
  return { every: weekday === undefined ? 'day' : 'week', time, zone: named, weekday };
}
