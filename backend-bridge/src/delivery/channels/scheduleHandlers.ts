/** Handlers of schedules. */
import type { SCHEDULES } from '../../../contract/api/schedules.ts';
import type { OnCallSchedule, Schedules } from '../../../contract/onCall.ts';
import { isoTime } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Routing } from './routing.ts';
import { shiftsBetween } from './schedule.ts';

const SHOWN_MS = 14 * DAY_MS;
const SHOWN_GAPS = 100;

/** @param now UTC milliseconds */
export function statusOf(
  schedule: OnCallSchedule,
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
  listSchedules({ person }) {
    const at = now();
    const schedules = routing
      .schedules()
      .map((one) => ({ ...one, ...statusOf(one, at) }))
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
