/** Times of quiet hours and digests, in the time zones of people. Pure. Rules: docs/channels.md. */
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { readSchedule } from '../../../contract/digest.ts';
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts';

/** Reasons for holding a notification in the outbox, besides the schedule of a digest. */
export const QUIET = 'quiet';
export const UNACKNOWLEDGED = 'unacknowledged';
/** Part of a digest that is being sent. */
export const SENDING = 'sending';
/** It waits for recipients who do not have it yet, while others do. */
export const PARTLY_SENT = 'partly sent';

/** UTC milliseconds. */
type Instant = number;
/** The time on a clock on the wall, in milliseconds, as if it were UTC. */
export type Wall = number;

/** @param local such as `2026-01-05T09:00` */
export const wallOf = (local: string): Wall => Date.parse(`${local}Z`);
export const wallAt = (at: Instant, zone: string): Wall => at + offsetAt(at, zone).offset;
/** The beginning of the day. */
export const dayAt = (at: Instant, zone: string): Wall => Math.floor(wallAt(at, zone) / DAY_MS) * DAY_MS;
/** @param time from 00:00 to 24:00 */
export const msOfTime = (time: string): number => wallOf(`1970-01-01T${time}`);
/** 1 is Monday. */
export const weekdayOf = (wall: Wall): number => new Date(wall).getUTCDay() || 7;

/** Offsets used last, since looking one up takes longer than all the rest. */
const offsets = new LRUCache<string, { offset: number; from: Instant; until: Instant }>({ max: 1000 });

function offsetAt(at: Instant, zone: string) {
  let known = offsets.get(zone);
  if (!known || at < known.from || at >= known.until) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    const until = zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? at + 365 * DAY_MS;
    const from =
      zoned.add({ milliseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? at - 365 * DAY_MS;
    known = { offset: zoned.offsetNanoseconds / 1e6, from, until };
    offsets.set(zone, known);
  }
  return known;
}

/**
 * The instant of a local time. One that the change to summer time skips is that of the change; of one that exists twice, it is the first or
 * the last.
 */
export function instantOf(wall: Wall, zone: string, which: 'first' | 'last'): Instant {
  // A zone differs from UTC by less than a day.
  const before = offsetAt(wall - DAY_MS, zone);
  const [first, last] = [wall - before.offset, wall - offsetAt(wall + DAY_MS, zone).offset];
  if (first >= before.until && last < before.until) {
    return before.until;
  }
  return first < before.until && (which === 'first' || last < before.until) ? first : last;
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
