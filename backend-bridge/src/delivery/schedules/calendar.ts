/** Shifts in a calendar (iCalendar, RFC 5545). Pure. Rules: docs/channels.md. */
import { async as inSteps, type EventInstance, expandRecurringEvent, type VEvent } from 'node-ical';
import { Temporal } from 'temporal-polyfill';
import { LIMITS } from '../../../contract/limits.ts';
import type { ChannelPerson } from '../../../contract/onCall.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { mapInTurns } from '../../platform/runtime/steps.ts';
import { instantOf } from './hours.ts';

/** An event of a calendar. */
export interface CalendarShift {
  /** UTC milliseconds. */
  start: number;
  end: number;
  /** Names in its title; of its attendees, where those are nobody's. */
  names: string[];
  attendees?: string[];
  /** `[L2]` in the title, as Grafana OnCall writes it: the highest level counts. */
  level: number;
}

/** How far a copy reaches. */
const AHEAD_MS = 180 * DAY_MS;
const BEHIND_MS = 2 * DAY_MS;

/** A calendar that cannot be read; the message is a sentence without its content. */
export class CalendarError extends Error {}

/**
 * Takes a millisecond for five shifts, so the work is done in turns.
 * @param zone of days and of times without a time zone
 * @param now UTC milliseconds
 * @returns what begins in the next 180 days or lasts, sorted
 * @throws CalendarError
 */
export async function readCalendar(text: string, zone: string, now: number): Promise<CalendarShift[]> {
  if (!/^\uFEFF?BEGIN:VCALENDAR\r?$/m.test(text)) {
    throw new CalendarError('It is not an iCalendar file: it has no BEGIN:VCALENDAR.');
  }
  // Each of them would be thousands of shifts.
  if (
    /^RRULE\b.*(?:FREQ=(?:SECOND|MINUTE|HOUR)LY|BYSECOND|BYMINUTE|BYHOUR)/im.test(text.replaceAll(/\r?\n[ \t]/g, ''))
  ) {
    throw new CalendarError('An event recurs more often than daily.');
  }
  const window = { from: new Date(now - BEHIND_MS), to: new Date(now + AHEAD_MS), expandOngoing: true };
  const shifts: CalendarShift[] = [];
  const read = (event: VEvent): void => {
    checkRecurrence(event);
    shifts.push(...expandRecurringEvent(event, window).flatMap((instance) => shiftOf(instance, event, zone)));
    if (shifts.length > LIMITS.calendarShifts.value) {
      throw new CalendarError(`It has more than ${LIMITS.calendarShifts.value} shifts in the next 180 days.`);
    }
  };
  try {
    const events = Object.values(await inSteps.parseICS(text.replace(/^\uFEFF/, ''))).filter(
      (one): one is VEvent => one?.type === 'VEVENT'
    );
    await mapInTurns(events, read);
  } catch (error) {
    throw error instanceof CalendarError
      ? error
      : new CalendarError('An event has an invalid time, time zone or recurrence.', { cause: error });
  }
  return shifts.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** All events since the first are computed, also those before the window. @throws CalendarError */
function checkRecurrence({ rrule, start }: VEvent): void {
  // A day earlier, since this is 1970 in some time zone.
  if (rrule && start.getTime() < -DAY_MS) {
    const year = String(start.getUTCFullYear()).padStart(4, '0');
    throw new CalendarError(`An event recurs since ${year}; allowed is 1970 or later.`);
  }
  const count = Number(rrule?.options.count ?? 0);
  const { value: allowed } = LIMITS.calendarRecurrences;
  if (count > allowed) {
    throw new CalendarError(`An event recurs ${count} times; allowed are ${allowed}.`);
  }
}

function shiftOf({ start, end, summary, isFullDay, event }: EventInstance, series: VEvent, zone: string) {
  const title = textOf(summary);
  if (event.status === 'CANCELLED') {
    return [];
  }
  const span = isFullDay
    ? { start: midnight(start, zone), end: midnight(end, zone) }
    : timesOf(start, lengthOf(event.end ? event : series), zone);
  const [, level = '0', names = ''] = /^\s*(?:\[L(\d{1,3})\])?([^]*)$/i.exec(title) ?? [];
  const attendees = named([event.attendee ?? []].flat().map((one) => textOf(one).replace(/^mailto:/i, '')));
  return span.end > span.start
    ? [{ ...span, names: named(names.split(/[,;]/)), ...(attendees.length > 0 && { attendees }), level: Number(level) }]
    : [];
}

/** A property is its text, or has parameters too. */
const textOf = (value: string | { val: string } | undefined): string =>
  typeof value === 'string' ? value : (value?.val ?? '');

/** A title is split at commas: each part is a name. */
const named = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.trim().slice(0, 200)).filter(Boolean))].slice(0, LIMITS.shiftNames.value);

type ZonedDate = Date & { tz?: string };

/** The library reads days, and times without a zone, in the time zone of the process. */
const localOf = (date: Date): Temporal.PlainDateTime =>
  new Temporal.PlainDateTime(
    date.getFullYear(),
    date.getMonth() + 1,
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds()
  );

const wallOf = (local: Temporal.PlainDateTime): number => local.toZonedDateTime('UTC').epochMilliseconds;
const midnight = (date: Date, zone: string): number => instantOf(wallOf(localOf(date).withPlainTime()), zone, 'first');

/** Wall-clock times of an event, and their zone: `undefined`, the zone of the schedule. */
function zonedWallOf(date: ZonedDate): { local: Temporal.PlainDateTime; zone: string | undefined } {
  const { tz } = date;
  return tz === undefined
    ? { local: localOf(date), zone: undefined }
    : { local: zonedOf(date, tz).toPlainDateTime(), zone: tz };
}

const zonedOf = (date: Date, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone);

/** On the wall clock, as calendars show it: a shift from 09:00 to 09:00 does so in summer too. */
function lengthOf({ start, end }: Pick<VEvent, 'start' | 'end'>): Temporal.Duration {
  const from = start as ZonedDate;
  const to = (end ?? start) as ZonedDate;
  // An event in two time zones, such as a flight, keeps its length.
  return from.tz === to.tz
    ? zonedWallOf(from).local.until(zonedWallOf(to).local, { largestUnit: 'days' })
    : Temporal.Duration.from({ milliseconds: to.getTime() - from.getTime() });
}

function timesOf(start: ZonedDate, length: Temporal.Duration, zone: string): { start: number; end: number } {
  const wall = zonedWallOf(start);
  const until = wall.local.add(length);
  const at = (local: Temporal.PlainDateTime): number => instantOf(wallOf(local), wall.zone ?? zone, 'first');
  return { start: wall.zone === undefined ? at(wall.local) : start.getTime(), end: at(until) };
}

/** A shift of people of the bridge. */
export interface NamedShift extends Pick<CalendarShift, 'start' | 'end' | 'level'> {
  /** Logins; empty: nobody. */
  people: string[];
}

/** Whom the names of a calendar mean, and names of nobody. */
export function namedShifts(
  shifts: readonly CalendarShift[],
  people: readonly ChannelPerson[]
): { shifts: NamedShift[]; unknown: string[] } {
  const logins = new Map(people.flatMap(({ login, names = [] }) => [login, ...names].map((one) => [fold(one), login])));
  const known = (names: readonly string[]): string[] => [
    ...new Set(names.flatMap((name) => logins.get(fold(name)) ?? [])),
  ];
  const unknown = new Set<string>();
  const all = shifts.map(({ start, end, level, names, attendees = [] }) => {
    const titled = known(names);
    const found = titled.length > 0 ? titled : known(attendees);
    if (titled.length > 0 || found.length === 0) {
      names.filter((name) => !logins.has(fold(name))).forEach((name) => unknown.add(name));
    }
    return { start, end, level, people: found };
  });
  return { shifts: all, unknown: [...unknown].slice(0, LIMITS.unknownNames.value) };
}

const fold = (name: string): string => name.replace(/^@/, '').toLowerCase();
