/** Times of quiet hours and digests, in the time zones of people. Pure. Rules: docs/channels.md. */
import { Temporal } from 'temporal-polyfill';
import { readSchedule } from '../../../contract/hours.ts';
import { HOUR_MS } from '../../../contract/time.ts';

/** Reasons for holding a notification in the outbox, besides the schedule of a digest. */
export const QUIET = 'quiet';
export const UNACKNOWLEDGED = 'unacknowledged';
/** Part of a digest that is being sent. */
export const SENDING = 'sending';

/** UTC milliseconds. */
type Instant = number;

/**
 * The instant of a local time. One that the change to summer time skips is that of the change; of one that exists twice, it is the first or
 * the last.
 */
export function instantOf(date: Temporal.PlainDate, time: string, zone: string, which: 'first' | 'last'): Instant {
  const local = date.toPlainDateTime(Temporal.PlainTime.from(time));
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (!earlier.toPlainDateTime().equals(local)) {
    return earlier.getTimeZoneTransition('next')!.epochMilliseconds;
  }
  const zoned = which === 'first' ? earlier : local.toZonedDateTime(zone, { disambiguation: 'later' });
  return zoned.epochMilliseconds;
}

export const dateAt = (at: Instant, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();

/**
 * When a digest is sent next. A time that exists twice counts once, the first time.
 * @param schedule such as `daily 08:00 Europe/Berlin` @returns later than `after`
 */
export function nextDigest(schedule: string, after: Instant): Instant {
  const read = readSchedule(schedule) ?? { every: 'hour' };
  if (read.every === 'hour') {
    return (Math.floor(after / HOUR_MS) + 1) * HOUR_MS;
  }
  const { time, zone, weekday } = read;
  for (let date = dateAt(after, zone); ; date = date.add({ days: 1 })) {
    const at = weekday === undefined || date.dayOfWeek === weekday ? instantOf(date, time, zone, 'first') : after;
    if (at > after) {
      return at;
    }
  }
}
