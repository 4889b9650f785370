/** Handlers of schedules. */
import type { SCHEDULES } from '../../../contract/api/schedules.ts';
import { placeName, type Schedules } from '../../../contract/onCall.ts';
import { isoTime, isoTimeOrNull } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { calendarText } from '../schedules/calendarText.ts';
import type { PlacedSchedule, Routing } from './routing.ts';
import { instantAt, type Shift, shiftsBetween } from '../schedules/schedule.ts';

const SHOWN_MS = 14 * DAY_MS;
const SHOWN_GAPS = 100;
const SHOWN_SHIFTS = 500;
const CALENDAR_MS = 90 * DAY_MS;
/** So that the shift of now has its own start, and the same id each time. */
const BEFORE_MS = 60 * DAY_MS;
/** All that read within this time get shifts that were computed once. */
const KEPT_MS = 60_000;

const spanOf = ({ start, end }: Pick<Shift, 'start' | 'end'>) => ({ from: isoTime(start), to: isoTime(end) });

/** @param shifts those of the next 14 days @param until when shifts that are listed begin, UTC milliseconds */
function statusOf(
  { zone = 'UTC', overrides = [], ignored = [], ...schedule }: PlacedSchedule,
  shifts: readonly Shift[],
  until: number
): Schedules['schedules'][number] {
  const [current, next] = shifts;
  return {
    ...schedule,
    zone,
    overrides: [...overrides, ...ignored].map((one) => ({
      ...one,
      begins: isoTime(instantAt(one.from, zone)),
      ends: isoTime(instantAt(one.to, zone)),
    })),
    onCall: current!.people,
    until: next ? isoTime(next.start) : null,
    next: next?.people ?? [],
    gaps: shifts
      .filter(({ people }) => people.length === 0)
      .slice(0, SHOWN_GAPS)
      .map(spanOf),
    shifts: shifts
      .filter(({ start }) => start < until)
      .slice(0, SHOWN_SHIFTS)
      .map(({ people, start, end }) => ({ ...spanOf({ start, end: Math.min(end, until) }), people })),
  };
}

/** When the person is no longer on call; undefined: they are not; null: not in the shifts. */
function relievedAt(login: string, shifts: readonly Shift[]): number | null | undefined {
  const isOnCall = ({ people }: Shift): boolean => people.includes(login);
  return shifts[0] && isOnCall(shifts[0]) ? (shifts.find((one) => !isOnCall(one))?.start ?? null) : undefined;
}

/** Shifts from an instant on, for 14 days or up to a minute less. Schedules that change are read again, as other objects. */
function createUpcoming(): (schedule: PlacedSchedule, at: number) => Shift[] {
  const known = new WeakMap<object, { at: number; shifts: Shift[] }>();
  return (schedule, at) => {
    let one = known.get(schedule.rotations);
    if (one === undefined || at < one.at || at >= one.at + KEPT_MS) {
      one = { at, shifts: shiftsBetween(schedule, at, at + SHOWN_MS) };
      known.set(schedule.rotations, one);
    }
    return one.shifts.flatMap((shift) => (shift.end <= at ? [] : { ...shift, start: Math.max(shift.start, at) }));
  };
}

/** @param now UTC milliseconds */
export const scheduleHandlers = (
  routing: Pick<Routing, 'schedules' | 'people' | 'reachedBy'>,
  now: () => number
): Pick<Handlers<typeof SCHEDULES>, 'listSchedules' | 'getScheduleCalendar'> => {
  const upcoming = createUpcoming();
  return {
    getScheduleCalendar({ params: { name }, res }) {
      const schedule = routing.schedules().find((one) => one.name === name);
      if (schedule === undefined) {
        throw new HttpProblem('not-found', `There is no schedule ${name}.`);
      }
      const at = now();
      res.set({
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}.ics"`,
      });
      const shifts = shiftsBetween(schedule, at - BEFORE_MS, at + CALENDAR_MS).filter(({ end }) => end > at);
      res.send(calendarText(name, shifts, at));
    },
    listSchedules({ person, query: { days = 0 } }) {
      const at = now();
      const schedules = routing
        .schedules()
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map((schedule) => ({ schedule, shifts: upcoming(schedule, at) }));
      const isReachable = (login: string) =>
        routing.reachedBy(placeName({ kind: 'person', name: login }), at).to.length > 0;
      // They may be e-mail addresses.
      const seesNames = person === undefined || person.role === 'Admin';
      return {
        schedules: schedules.map(({ schedule, shifts }) => {
          const { calendar, ...status } = statusOf(schedule, shifts, at + days * DAY_MS);
          return { ...status, ...(calendar && { calendar: seesNames ? calendar : { ...calendar, unknown: [] } }) };
        }),
        people: routing
          .people()
          .toSorted((a, b) => (a.login < b.login ? -1 : 1))
          .map(({ names, ...one }) => ({
            ...one,
            ...(names && seesNames && { names }),
            reachable: isReachable(one.login),
          })),
        mine: schedules.flatMap(({ schedule, shifts }) => {
          const until = person && relievedAt(person.login, shifts);
          return until === undefined ? [] : { schedule: schedule.name, until: isoTimeOrNull(until) };
        }),
      };
    },
  };
};
