/** Handlers of schedules. */
import type { SCHEDULES } from '../../../contract/api/schedules.ts';
import { placeName, type Schedules } from '../../../contract/onCall.ts';
import { isoTime, isoTimeOrNull } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { inTurns, type Steps } from '../../platform/runtime/steps.ts';
import { calendarText } from '../schedules/calendarText.ts';
import type { PlacedSchedule, Routing } from './routing.ts';
import { instantAt, type Shift, shiftSteps } from '../schedules/schedule.ts';

const SHOWN_MS = 14 * DAY_MS;
const SHOWN_GAPS = 100;
const SHOWN_SHIFTS = 500;
const CALENDAR_MS = 90 * DAY_MS;
/** So that the shift of now has its own start, and the same id each time. */
const BEFORE_MS = 60 * DAY_MS;
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

/** Computes in turns, once for all that read within a minute. What changes is read again, as another object. */
function kept<K extends object, T>(compute: (of: K, at: number) => Steps<T>): (of: K, at: number) => Promise<T> {
  const known = new WeakMap<K, { at: number; result: Promise<T> }>();
  return (of, at) => {
    let one = known.get(of);
    if (one === undefined || at < one.at || at >= one.at + KEPT_MS) {
      one = { at, result: inTurns(compute(of, at)) };
      known.set(of, one);
    }
    return one.result;
  };
}

/** Shifts from the instant on, for 14 days. */
function* upcomingOf(schedules: readonly PlacedSchedule[], at: number) {
  const all: { schedule: PlacedSchedule; shifts: Shift[] }[] = [];
  for (const schedule of schedules.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    all.push({ schedule, shifts: yield* shiftSteps(schedule, at, at + SHOWN_MS) });
  }
  return all;
}

const endingAfter = (shifts: readonly Shift[], at: number): Shift[] => shifts.filter(({ end }) => end > at);

/** @param now UTC milliseconds */
export const scheduleHandlers = (
  routing: Pick<Routing, 'schedules' | 'people' | 'reachedBy'>,
  now: () => number
): Pick<Handlers<typeof SCHEDULES>, 'listSchedules' | 'getScheduleCalendar'> => {
  const upcoming = kept(upcomingOf);
  const inCalendar = kept((schedule: PlacedSchedule, at) => shiftSteps(schedule, at - BEFORE_MS, at + CALENDAR_MS));
  return {
    async getScheduleCalendar({ params: { name }, res }) {
      const schedule = routing.schedules().find((one) => one.name === name);
      if (schedule === undefined) {
        throw new HttpProblem('not-found', `There is no schedule ${name}.`);
      }
      const at = now();
      const shifts = endingAfter(await inCalendar(schedule, at), at);
      const text = await inTurns(calendarText(name, shifts, at));
      res.set({
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}.ics"`,
      });
      res.send(text);
    },
    async listSchedules({ person, query: { days = 0 } }) {
      const at = now();
      const schedules = (await upcoming(routing.schedules(), at)).map(({ schedule, shifts }) => ({
        schedule,
        shifts: endingAfter(shifts, at).map((one) => ({ ...one, start: Math.max(one.start, at) })),
      }));
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
