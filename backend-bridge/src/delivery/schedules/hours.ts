/** Times of quiet hours and digests, in the time zones of people. Pure. Rules: docs/channels.md. */
import { Temporal } from 'temporal-polyfill';
import { readSchedule } from '../../../contract/hours.ts';
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts';

/** Reasons for holding a notification in the outbox, besides the schedule of a digest. */
export const QUIET = 'quiet';
export const UNACKNOWLEDGED = 'unacknowledged';
/** Part of a digest that is being sent. */
export const SENDING = 'sending';

/** UTC milliseconds. */
type Instant = number;

/** The time that a clock on the wall shows, in milliseconds, as if it were UTC. */
export type Wall = number;

/** @param local such as `2026-01-05T09:00` */
export const wallOf = (local: string): Wall => Date.parse(`${local}Z`);
/** @param time from 00:00 to 24:00 */
export const msOfTime = (time: string): number => wallOf(`1970-01-01T${time}`);
export const wallAt = (at: Instant, zone: string): Wall => at + offsetAt(at, zone).offset;
/** The beginning of the day. */
export const dayAt = (at: Instant, zone: string): Wall => Math.floor(wallAt(at, zone) / DAY_MS) * DAY_MS;
/** 1 is Monday. */
export const weekdayOf = (wall: Wall): number => new Date(wall).getUTCDay() || 7;

/** Zones differ from UTC by less. */
const MAX_OFFSET_MS = DAY_MS;
/** Without a change, an offset is looked up again after this time. */
const OFFSET_MS = 365 * DAY_MS;
const MAX_ZONES = 1000;
/** The offset of a zone that was used last: weeks of hours are converted at once, and looking it up takes much longer than the rest. */
const offsets = new Map<string, { offset: number; from: Instant; until: Instant }>();

function offsetAt(at: Instant, zone: string) {
  const known = offsets.get(zone);
  if (known && known.from <= at && at < known.until) {
    return known;
  }
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const found = {
    offset: zoned.offsetNanoseconds / 1e6,
    // At the change itself, the previous one is an earlier one.
    from: zoned.add({ milliseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? at - OFFSET_MS,
    until: zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? at + OFFSET_MS,
  };
  if (offsets.size >= MAX_ZONES) {
    offsets.clear();
  }
  offsets.set(zone, found);
  return found;
}

/**
 * The instant of a local time. One that the change to summer time skips is that of the change; of one that exists twice, it is the first or
 * the last.
 */
export function instantOf(wall: Wall, zone: string, which: 'first' | 'last'): Instant {
  const { offset, from, until } = offsetAt(wall, zone);
  if (from + 2 * MAX_OFFSET_MS <= wall && wall < until - 2 * MAX_OFFSET_MS) {
    return wall - offset;
  }
  const local = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime();
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (!earlier.toPlainDateTime().equals(local)) {
    return earlier.getTimeZoneTransition('next')!.epochMilliseconds;
  }
  const zoned = which === 'first' ? earlier : local.toZonedDateTime(zone, { disambiguation: 'later' });
  return zoned.epochMilliseconds;
}

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
  for (let day = dayAt(after, zone); ; day += DAY_MS) {
    const isOn = weekday === undefined || weekdayOf(day) === weekday;
    const at = isOn ? instantOf(day + msOfTime(time), zone, 'first') : after;
    if (at > after) {
      return at;
    }
  }
}
