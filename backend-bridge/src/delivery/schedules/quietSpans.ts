/** Quiet hours at an instant, in the time zones of people. Pure. Rules: docs/channels.md. */
import type { Temporal } from 'temporal-polyfill';
import { type QuietHours, weekdaysOf } from '../../../contract/hours.ts';
import { dateAt, instantOf } from './hours.ts';

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
