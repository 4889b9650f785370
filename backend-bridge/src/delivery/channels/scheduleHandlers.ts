/** Handlers of schedules. */
import type { SCHEDULES } from '../../../contract/api/schedules.ts';
import type { Schedules } from '../../../contract/onCall.ts';
import { isoTime } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { calendarText } from './calendarText.ts';
import type { Routing } from './routing.ts';
import { shiftsBetween, type TimedSchedule } from './schedule.ts';

const SHOWN_MS = 14 * DAY_MS;
const SHOWN_GAPS = 100;
const CALENDAR_MS = 90 * DAY_MS;
/** So that the shift of now has its own start, and the same id each time. */
const BEFORE_MS = 60 * DAY_MS;

/** @param now UTC milliseconds */
export function statusOf(
  schedule: TimedSchedule,
  now: number
): Pick<Schedules['schedules'][number], 'onCall' | 'until' | 'next' | 'gaps'> {
  const shifts = shiftsBetween(schedule, now, now + SHOWN_MS);
  const [current, next] = shifts;
  return {
    onCall: current!.people,
    until: next ? isoTime(next.start) : null,
    next: next?.people ?? [],
    gaps: shifts
      .filter(({ people }) => people.length === 0)
      .slice(0, SHOWN_GAPS)
      .map(({ start, end }) => ({ from: isoTime(start), to: isoTime(end) })),
  };
}

/** @param now UTC milliseconds */
export const scheduleHandlers = (
  routing: Pick<Routing, 'schedules' | 'people'>,
  now: () => number
): Handlers<typeof SCHEDULES> => ({
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
  listSchedules({ person }) {
    const at = now();
    const schedules = routing
      .schedules()
      .map(({ shifts, ...one }) => ({ ...one, ...statusOf({ ...one, shifts: shifts ?? [] }, at) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return {
      schedules,
      people: routing.people().toSorted((a, b) => (a.login < b.login ? -1 : 1)),
      mine:
        person === undefined
          ? []
          : schedules.flatMap(({ name, onCall }) => (onCall.includes(person.login) ? name : [])),
    };
  },
});
