/** Who is on call at an instant, and in a span of time. Pure. Rules: docs/channels.md. */
import type { OnCallSchedule } from '../../../contract/onCall.ts';
import type { NamedShift } from './calendar.ts';
import { durationSeconds } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { complete, eachOf, type Steps } from '../../platform/runtime/steps.ts';
import { dayAt, instantOf, wallAt, wallOf } from './hours.ts';
import { DAYS_BEFORE, joined, type Span, spansOfDays } from './quietSpans.ts';

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

/** The turn of a person. */
interface Turn extends Span {
  person: string;
}

/** The turns in a rotation from one instant to another, sorted. */
function turnsBetween(rotation: Rotation, zone: string, from: Instant, to: Instant): Turn[] {
  const { people, hours, to: last } = rotation;
  const begin = Math.max(from, instantAt(rotation.from, zone));
  const end = last === undefined ? to : Math.min(to, instantAt(last, zone));
  if (begin >= end) {
    return [];
  }
  const first = dayAt(begin, zone) - DAYS_BEFORE * DAY_MS;
  const days = Math.ceil((end - begin) / DAY_MS) + DAYS_BEFORE + 1;
  const spans = hours
    ? joined(hours.flatMap((one) => spansOfDays({ ...one, zone }, first, days)))
    : [{ start: begin, end }];
  const turns: Turn[] = [];
  let shift = shiftAt(rotation, zone, begin);
  let next = handover(rotation, zone, shift + 1);
  for (const span of spans) {
    const stop = Math.min(span.end, end);
    for (let start = Math.max(span.start, begin); start < stop; start = turns.at(-1)!.end) {
      while (next <= start) {
        shift += 1;
        next = handover(rotation, zone, shift + 1);
      }
      turns.push({ start, end: Math.min(stop, next), person: people[shift % people.length]! });
    }
  }
  return turns;
}

/** Finds the spans that contain an instant; each call takes a later instant. @param spans sorted by their start */
function lasting<T extends Span>(spans: readonly T[]): (at: Instant) => readonly T[] {
  let current: T[] = [];
  let next = 0;
  return (at) => {
    for (; next < spans.length && spans[next]!.start <= at; next += 1) {
      current.push(spans[next]!);
    }
    if (current.some(({ end }) => end <= at)) {
      current = current.filter(({ end }) => end > at);
    }
    return current;
  };
}

/** People on call by the current shifts of a calendar: only the highest level that has any. */
function peopleIn(current: readonly NamedShift[]): string[] {
  const highest = Math.max(...current.map(({ level, people }) => (people.length > 0 ? level : -1)));
  return current.flatMap(({ level, people }) => (level === highest ? people : []));
}

/** Logins of who is on call at the instant: that of the last override, otherwise of all rotations, or of the calendar. Empty: nobody. */
export const onCallAt = (schedule: TimedSchedule, at: Instant): string[] =>
  shiftsBetween(schedule, at, at + 1)[0]!.people;

/** Shifts from one instant to another without holes, gaps included; neighbours differ in who is on call. */
export const shiftsBetween = (schedule: TimedSchedule, from: Instant, to: Instant): Shift[] =>
  complete(shiftSteps(schedule, from, to));

/** {@link shiftsBetween} in steps. */
export function* shiftSteps(schedule: TimedSchedule, from: Instant, to: Instant): Steps<Shift[]> {
  const { zone = 'UTC', rotations, overrides = [], shifts: all = [] } = schedule;
  const turns = yield* eachOf(rotations, (rotation) => turnsBetween(rotation, zone, from, to));
  const inCalendar = all.filter(({ start, end }) => start < to && end > from).toSorted((a, b) => a.start - b.start);
  const standIns = overrides.map((one) => ({
    person: one.person,
    start: instantAt(one.from, zone),
    end: instantAt(one.to, zone),
  }));
  const changes = new Set([from]);
  for (const spans of [...turns, inCalendar, standIns]) {
    spans.forEach(({ start, end }) => changes.add(start).add(end));
    yield;
  }
  const starts = Float64Array.from(changes)
    .sort()
    .filter((at) => at >= from && at < to);
  const turnsAt = turns.map(lasting);
  const shiftsAt = lasting(inCalendar);
  const shifts: Shift[] = [];
  for (const [index, start] of starts.entries()) {
    const standIn = standIns.findLast((one) => one.start <= start && start < one.end);
    const people = standIn
      ? [standIn.person]
      : [...new Set([...turnsAt.flatMap((at) => at(start).map(({ person }) => person)), ...peopleIn(shiftsAt(start))])];
    const last = shifts.at(-1);
    const end = starts[index + 1] ?? to;
    if (last?.people.join('/') === people.join('/')) {
      last.end = end;
    } else {
      shifts.push({ start, end, people });
    }
    yield;
  }
  return shifts;
}
