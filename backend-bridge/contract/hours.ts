/** Quiet hours and digests: when notifications of a channel wait. Semantics: docs/channels.md. */
import { z } from 'zod';
import { list, strictComponent } from './schema.ts';
import { DAY, isZone, readSchedule, TIME, type Weekday, WEEKDAYS } from './digest.ts';
import { LIMITS } from './limits.ts';
import { PRIORITIES } from './notification.ts';

const DAYS = new RegExp(`^(${DAY})(?:-(${DAY}))?$`);

/** Weekdays of `mon`, `mon-fri` or `fri-mon`: 1 is Monday. */
export function weekdaysOf(days: string): number[] {
  const [, first, last = first] = DAYS.exec(days) ?? [];
  const from = WEEKDAYS.indexOf(first as Weekday);
  const count = (WEEKDAYS.indexOf(last as Weekday) - from + 7) % 7;
  return Array.from({ length: count + 1 }, (_one, index) => ((from + index) % 7) + 1);
}

const ZONE = 'an IANA time zone such as Europe/Berlin';
export const zoneSchema = z.string({ error: ZONE }).refine(isZone, { error: ZONE });

/** Hours of the week. @param what begins and ends */
const hoursMembers = (what: string) => ({
  days: list(
    `Days on which ${what} begin; none: each day.`,
    z.string().regex(DAYS, { error: 'mon, tue, wed, thu, fri, sat, sun, or a range such as mon-fri' }),
    { examples: [['mon-fri']] }
  )
    .max(7)
    .refine((list) => list.length > 0, { error: 'a list of days that is not empty' })
    .optional(),
  from: z
    .string({ error: 'a time such as 22:00' })
    .regex(TIME, { error: 'a time from 00:00 to 23:59' })
    .describe(`When ${what} begin.`)
    .meta({ examples: ['22:00'] }),
  to: z
    .string({ error: 'a time such as 07:00' })
    .regex(new RegExp(`${TIME.source}|^24:00$`), { error: 'a time from 00:00 to 24:00' })
    .describe(`When ${what} end: on the next day unless it is later than \`from\`.`)
    .meta({ examples: ['07:00'] }),
});

const hasLength = ({ from, to }: { from: string; to: string }): boolean => from !== to;
const LENGTH = { error: 'another time than `from`; for a whole day, 00:00 to 24:00', path: ['to'], abort: true };

/** Hours of the week in the time zone of what has them. */
export const weekHoursSchema = z.strictObject(hoursMembers('the hours')).refine(hasLength, LENGTH);

export const quietHoursSchema = z
  .strictObject({
    ...hoursMembers('they'),
    zone: zoneSchema
      .optional()
      .describe('Their time zone.')
      .meta({ default: 'UTC', examples: ['Europe/Berlin'] }),
  })
  .refine(hasLength, LENGTH)
  .meta({ id: 'QuietHours', description: 'Hours in which notifications wait.' });
export type QuietHours = z.output<typeof quietHoursSchema>;

export const quietHoursListSchema = z
  .array(quietHoursSchema)
  .max(LIMITS.quietHours.value)
  .refine((hours) => !coverTheWeek(hours), { error: 'a list of hours that end at some time', abort: true });

/** `none`: nothing passes. */
export const PASSING = [...PRIORITIES.slice(1), 'none'] as const;
export const passingSchema = z.enum(PASSING);
export type Passing = z.output<typeof passingSchema>;
export const DEFAULT_PASSING: Passing = 'critical';

const DAY_MINUTES = 24 * 60;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Whether hours of one time zone leave no minute of the week: what waits would never be sent. */
function coverTheWeek(hours: readonly QuietHours[]): boolean {
  return [...new Set(hours.map((one) => one.zone ?? 'UTC'))].some((name) => {
    const spans = hours
      .filter((one) => (one.zone ?? 'UTC') === name)
      .flatMap(({ days = ['mon-sun'], from, to }) =>
        days.flatMap(weekdaysOf).map((day) => {
          const start = (day - 1) * DAY_MINUTES + minutesOf(from);
          const length = minutesOf(to) - minutesOf(from);
          return [start, start + (length > 0 ? length : length + DAY_MINUTES)] as const;
        })
      )
      .flatMap(([start, end]) => [[start, end] as const, [start - 7 * DAY_MINUTES, end - 7 * DAY_MINUTES] as const])
      .toSorted(([a], [b]) => a - b);
    let until = 0;
    for (const [start, end] of spans) {
      until = start <= until ? Math.max(until, end) : until;
    }
    return until >= 7 * DAY_MINUTES;
  });
}

/** Quiet hours of a person, for their own devices. */
export const personHoursSchema = strictComponent('PersonQuietHours', 'Quiet hours of the devices of a person.', {
  quietHours: quietHoursListSchema.describe('Hours in which notifications wait; an empty list: none.'),
  passing: passingSchema
    .optional()
    .describe('Notifications of at least this priority do not wait; none: all wait.')
    .meta({ default: DEFAULT_PASSING }),
});
export type PersonHours = z.output<typeof personHoursSchema>;

const DIGEST = 'hourly, daily 08:00 or weekly mon 08:00, with a time zone if it is not UTC: daily 08:00 Europe/Berlin';
export const digestSchema = z
  .string({ error: DIGEST })
  .refine((text) => readSchedule(text) !== undefined, { error: DIGEST });
