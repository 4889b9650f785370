/** Who is on call at an instant, and in a span of time. Pure. Rules: docs/channels.md. */
import type { OnCallSchedule } from '../../../contract/onCall.ts';
import type { NamedShift } from './calendar.ts';
import { durationSeconds } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { dayAt, instantOf, wallAt, wallOf } from './hours.ts';
import { quietClock, spansOfDays } from './quietSpans.ts';

/** UTC milliseconds. */
type Instant = number;
type Rotation = OnCallSchedule['rotations'][number];

/** With the shifts of its calendar. */
export interface TimedSchedule extends OnCallSchedule {
  shifts?: readonly NamedShift[];
}

/** Who is on call from one instant to another. */
export interface Shift {
  start: Instant;
  end: Instant;
  /** Logins; empty: nobody. */
  people: string[];
}

/** The instant of `2026-01-05T09:00` in a time zone: the first, where the clock shows it twice. */
export const instantAt = (local: string, zone: string): Instant => instantOf(wallOf(local), zone, 'first');

const lengthOf = ({ every }: Rotation): number => durationSeconds(every) * 1000;

/** When the shift with this number begins. Shifts are counted on the wall clock, so that 09:00 stays 09:00. */
const handover = (rotation: Rotation, zone: string, shift: number): Instant =>
  instantOf(wallOf(rotation.from) + shift * lengthOf(rotation), zone, 'first');

/** Number of the shift at the instant; negative: before the first. */
function shiftAt(rotation: Rotation, zone: string, at: Instant): number {
  let shift = Math.floor((wallAt(at, zone) - wallOf(rotation.from)) / lengthOf(rotation));
  // Where the wall clock was set back, it shows the time of a shift that has ended already.
  while (handover(rotation, zone, shift + 1) <= at) {
    shift += 1;
  }
  return shift;
}

const ends = ({ to }: Rotation, zone: string): Instant => (to === undefined ? Infinity : instantAt(to, zone));
const hoursIn = ({ hours }: Rotation, zone: string) => hours?.map((one) => ({ ...one, zone }));

type OnCallAt = (at: Instant) => string[];

/** The person on call in a rotation, by instant. Its times are resolved once. */
function turnOf(rotation: Rotation, zone: string): OnCallAt {
  const { people } = rotation;
  const [start, end] = [instantAt(rotation.from, zone), ends(rotation, zone)];
  const hours = hoursIn(rotation, zone);
  const isIn = hours && quietClock(hours);
  return (at) =>
    at < start || at >= end || isIn?.(at).isQuiet === false
      ? []
      : [people[shiftAt(rotation, zone, at) % people.length]!];
}

/** People on call in a calendar: only the highest level that has any. */
function peopleIn(shifts: readonly NamedShift[], at: Instant): string[] {
  const current = shifts.filter(({ start, end, people }) => start <= at && at < end && people.length > 0);
  const highest = Math.max(...current.map(({ level }) => level));
  return current.flatMap(({ level, people }) => (level === highest ? people : []));
}

/** {@link onCallAt} of a schedule, for many instants. */
function onCallIn({ zone = 'UTC', rotations, overrides = [], shifts = [] }: TimedSchedule): OnCallAt {
  const turns = rotations.map((rotation) => turnOf(rotation, zone));
  const standIns = overrides.map(({ person, from, to }) => ({
    person,
    start: instantAt(from, zone),
    end: instantAt(to, zone),
  }));
  return (at) => {
    const standIn = standIns.findLast(({ start, end }) => start <= at && at < end);
    return standIn ? [standIn.person] : [...new Set([...turns.flatMap((turn) => turn(at)), ...peopleIn(shifts, at)])];
  };
}

/** Logins of who is on call at the instant: that of the last override, otherwise of all rotations, or of the calendar. Empty: nobody. */
export const onCallAt = (schedule: TimedSchedule, at: Instant): string[] => onCallIn(schedule)(at);

/** Instants at which the rotation may change. */
function changesOf(rotation: Rotation, zone: string, from: Instant, to: Instant): Instant[] {
  const found = [instantAt(rotation.from, zone), ends(rotation, zone)];
  const first = Math.max(0, shiftAt(rotation, zone, from));
  for (let shift = first, at = handover(rotation, zone, shift); at < to; at = handover(rotation, zone, (shift += 1))) {
    found.push(at);
  }
  const days = Math.ceil((to - from) / DAY_MS) + 2;
  const date = dayAt(from, zone) - DAY_MS;
  const spans = (hoursIn(rotation, zone) ?? []).flatMap((hours) => spansOfDays(hours, date, days));
  return [...found, ...spans.flatMap(({ start, end }) => [start, end])];
}

/** Shifts from one instant to another without holes, gaps included; neighbours differ in who is on call. */
export function shiftsBetween(timed: TimedSchedule, from: Instant, to: Instant): Shift[] {
  const near = timed.shifts?.filter(({ start, end }) => start < to && end > from) ?? [];
  const schedule = { ...timed, shifts: near };
  const { zone = 'UTC', rotations, overrides = [] } = schedule;
  const changes = [
    ...rotations.flatMap((rotation) => changesOf(rotation, zone, from, to)),
    ...overrides.flatMap((one) => [instantAt(one.from, zone), instantAt(one.to, zone)]),
    ...near.flatMap(({ start, end }) => [start, end]),
  ].filter((at) => at > from && at < to);
  const starts = [from, ...[...new Set(changes)].toSorted((a, b) => a - b)];
  const peopleAt = onCallIn(schedule);
  const shifts: Shift[] = [];
  for (const [index, start] of starts.entries()) {
    const people = peopleAt(start);
    const last = shifts.at(-1);
    const end = starts[index + 1] ?? to;
    if (last?.people.join('/') === people.join('/')) {
      last.end = end;
    } else {
      shifts.push({ start, end, people });
    }
  }
  return shifts;
}
