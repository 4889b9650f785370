/** Quiet hours at an instant, in the time zones of people. Pure. Rules: docs/channels.md. */
import { type QuietHours, weekdaysOf } from '../../../contract/hours.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { dayAt, instantOf, msOfTime, type Wall, weekdayOf } from './hours.ts';

/** UTC milliseconds. */
type Instant = number;

/** The state of quiet hours at an instant. */
export interface QuietSpan {
  isQuiet: boolean;
  /** When that changes; Infinity: never. */
  until: Instant;
}
/** Days around an instant whose hours are compared: those of a week, and those that began on the days before. */
export const DAYS_BEFORE = 2;
const DAYS_AFTER = 9;

export interface Span {
  start: Instant;
  end: Instant;
}

/** The hours that begin on days around the instant. */
const spansAround = (hours: QuietHours, at: Instant): Span[] =>
  spansOfDays(hours, dayAt(at, hours.zone ?? 'UTC') - DAYS_BEFORE * DAY_MS, DAYS_BEFORE + DAYS_AFTER);

/** The hours that begin from a day on. @param count days after it */
export function spansOfDays({ days, from, to, zone = 'UTC' }: QuietHours, first: Wall, count: number): Span[] {
  const weekdays = days && new Set(days.flatMap(weekdaysOf));
  const start = msOfTime(from);
  const end = msOfTime(to) + (to > from ? 0 : DAY_MS);
  const spans: Span[] = [];
  for (let day = first; day <= first + count * DAY_MS; day += DAY_MS) {
    if (weekdays?.has(weekdayOf(day)) ?? true) {
      spans.push({ start: instantOf(day + start, zone, 'first'), end: instantOf(day + end, zone, 'last') });
    }
  }
  return spans;
}

/** Sorted; those that touch or overlap are one. */
export function joined(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else if (end > start) {
      found.push({ start, end });
    }
  }
  return found;
}

/** Whether an instant lies in quiet hours, and until when that is so. */
export function quietAt(hours: readonly QuietHours[], at: Instant): QuietSpan {
  const next = joined(hours.flatMap((one) => spansAround(one, at))).find(({ end }) => end > at);
  return next && next.start <= at
    ? { isQuiet: true, until: next.end }
    : { isQuiet: false, until: next?.start ?? Infinity };
}

/** {@link quietAt} of hours that do not change, computed once for each span. */
export const quietClock = (hours: readonly QuietHours[]): ((at: Instant) => QuietSpan) =>
  spanClock(
    (at) => quietAt(hours, at),
    ({ until }) => until
  );

/** Computes the span of an instant once. @param untilOf when it has to be computed again */
export function spanClock<T>(compute: (at: Instant) => T, untilOf: (span: T) => Instant): (at: Instant) => T {
  let known: { span: T; since: Instant; until: Instant } | undefined;
  return (at) => {
    if (known === undefined || at < known.since || at >= known.until) {
      const span = compute(at);
      known = { span, since: at, until: untilOf(span) };
    }
    return known.span;
  };
}
