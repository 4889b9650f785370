/** Times of quiet hours and digests, in the time zones of people. Pure. Rules: docs/channels.md. */
import { Temporal } from 'temporal-polyfill';
import { type QuietHours, readSchedule, weekdaysOf } from '../../../contract/hours.ts';
import { HOUR_MS } from '../../../contract/time.ts';

/** Reasons for holding a notification in the outbox, besides the schedule of a digest. */
export const QUIET = 'quiet';
export const UNACKNOWLEDGED = 'unacknowledged';
/** Part of a digest that is being sent. */
export const SENDING = 'sending';

/** UTC milliseconds. */
type Instant = number;

/** The state of quiet hours at an instant. */
export interface QuietSpan {
  isQuiet: boolean;
  /** When that changes; Infinity: never. */
  until: Instant;
}
/** Days around an instant whose hours are compared: those of a week, and those that began on the days before. */
const DAYS_BEFORE = 2;
const DAYS_AFTER = 9;

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

export interface Span {
  start: Instant;
  end: Instant;
}

/** The hours that begin on days around the instant. */
const spansAround = (hours: QuietHours, at: Instant): Span[] =>
  spansOfDays(hours, dateAt(at, hours.zone ?? 'UTC').subtract({ days: DAYS_BEFORE }), DAYS_BEFORE + DAYS_AFTER);

/** The hours that begin from a day on. @param count days after it */
export function spansOfDays(
  { days = ['mon-sun'], from, to, zone = 'UTC' }: QuietHours,
  first: Temporal.PlainDate,
  count: number
): Span[] {
  const weekdays = new Set(days.flatMap(weekdaysOf));
  const spans: Span[] = [];
  for (let day = 0; day <= count; day += 1) {
    const date = first.add({ days: day });
    if (weekdays.has(date.dayOfWeek)) {
      const endDate = to > from && to !== '24:00' ? date : date.add({ days: 1 });
      const start = instantOf(date, from, zone, 'first');
      const end = instantOf(endDate, to === '24:00' ? '00:00' : to, zone, 'last');
      spans.push({ start, end });
    }
  }
  return spans;
}

/** Whether an instant lies in quiet hours, and until when that is so. Hours that touch or overlap are one. */
export function quietAt(hours: readonly QuietHours[], at: Instant): QuietSpan {
  const spans = hours.flatMap((one) => spansAround(one, at)).toSorted((a, b) => a.start - b.start);
  if (!spans.some(({ start, end }) => start <= at && at < end)) {
    return { isQuiet: false, until: spans.find(({ start, end }) => start > at && end > start)?.start ?? Infinity };
  }
  let until = at;
  for (const { start, end } of spans) {
    until = start <= until ? Math.max(until, end) : until;
  }
  return { isQuiet: true, until };
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
  for (let date = dateAt(after, zone); ; date = date.add({ days: 1 })) {
    const at = weekday === undefined || date.dayOfWeek === weekday ? instantOf(date, time, zone, 'first') : after;
    if (at > after) {
      return at;
    }
  }
}

/** {@link quietAt} of hours that do not change, computed once for each span. */
export function quietClock(hours: readonly QuietHours[]): (at: Instant) => QuietSpan {
  let since = Infinity;
  let span: QuietSpan = { isQuiet: false, until: -Infinity };
  return (at) => {
    if (at < since || at >= span.until) {
      span = hours.length === 0 ? { isQuiet: false, until: Infinity } : quietAt(hours, at);
      since = at;
    }
    return span;
  };
}
