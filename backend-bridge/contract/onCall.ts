/** Who is on call: the members `schedules` and `people` of provisioning files, and /schedules. Semantics: docs/channels.md. */
import { z } from 'zod';
import {
  boolean,
  component,
  list,
  nullable,
  object,
  objects,
  oneOf,
  rule,
  some,
  strictComponent,
  string,
  time,
} from './schema.ts';
import { channelName } from './channelTypes/common.ts';
import { urlSchema } from './channelTypes/descriptor.ts';
import { weekHoursSchema, zoneSchema } from './hours.ts';
import { LIMITS } from './limits.ts';
import { durationSeconds } from './text.ts';

/** In routes and addresses. */
export const scheduleName = channelName.meta({ examples: ['database'] });

export const loginSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^/]*$/, { error: 'a login without /' })
  .meta({ examples: ['ada'] });

const LOCAL = 'a local date and time such as 2026-01-05T09:00';
const localTime = z
  .string({ error: LOCAL })
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, { error: LOCAL, abort: true })
  // A date that does not exist, such as 2026-02-30, becomes another one, or none.
  .refine((text) => new Date(`${text}Z`).toJSON()?.startsWith(text) === true, { error: LOCAL })
  .meta({ examples: ['2026-01-05T09:00'] });

const isInOrder = ({ from, to }: { from: string; to?: string | undefined }): boolean => to === undefined || to > from;
const IN_ORDER = { error: 'later than `from`', path: ['to'], abort: true };

const EVERY = 'a duration such as 12h, 1d or 1w, at most 52w';
const rotationSchema = z
  .strictObject({
    people: some('Logins in Grafana, in their order.', loginSchema, 'logins', LIMITS.onCallLists.value),
    every: z
      .string({ error: EVERY })
      .regex(/^[1-9]\d{0,3}[hdw]$/, { error: EVERY })
      .refine((text) => !(durationSeconds(text) > 364 * 86_400), { error: EVERY })
      .describe('Length of a shift. Days and weeks end at the same time of day, in summer too.')
      .meta({ examples: ['1w'] }),
    from: localTime.describe('When the first shift begins, in the time zone of the schedule.'),
    to: localTime.optional().describe('When the rotation ends; none: never.'),
    hours: some('Only in these hours; none: always.', weekHoursSchema, 'hours', LIMITS.quietHours.value).optional(),
  })
  .refine(isInOrder, IN_ORDER)
  .describe('People who are on call one after another.');

const overrideMembers = {
  person: loginSchema.describe('Login in Grafana of who is on call instead of all others.'),
  from: localTime.describe('When it begins, in the time zone of the schedule.'),
  to: localTime.describe('When it ends.'),
};
export const overrideSchema = z
  .strictObject(overrideMembers)
  .refine(isInOrder, IN_ORDER)
  .meta({ id: 'Override', description: 'Somebody who stands in.' });
export type Override = z.output<typeof overrideSchema>;

export const shownOverrideSchema = component('ShownOverride', 'An override, and where it comes from.', {
  ...overrideMembers,
  id: string('Its id, if it was added by this API; none: the provisioning file has it.').optional(),
  by: nullable('Who added it; null: unknown.', z.string()).optional(),
});
export type ShownOverride = z.output<typeof shownOverrideSchema>;

const ICS = 'a path, or an http: or https: address without user name and password';
/** A calendar's address is often a secret: messages about it do not repeat it. */
const icsSchema = z
  .string({ error: ICS })
  .trim()
  .min(1, { error: ICS })
  .max(2048, { error: ICS })
  .refine((text) => !/^[a-z][a-z0-9+.-]+:/i.test(text) || urlSchema.safeParse(text).success, { error: ICS })
  .meta({ examples: ['$CALENDAR_URL', 'on-call.ics'] });
export const isCalendarUrl = (ics: string): boolean => /^https?:/i.test(ics);

/** Whom a handover notifies, through their own channels. */
export const ANNOUNCEMENTS = ['none', 'start', 'both'] as const;

export const scheduleMembers = {
  name: scheduleName.describe('Its name, in routes.'),
  zone: zoneSchema
    .optional()
    .describe('Its time zone.')
    .meta({ default: 'UTC', examples: ['Europe/Berlin'] }),
  rotations: list('Whoever has a shift in any of them is on call. Required without `ics`.', rotationSchema)
    .max(LIMITS.onCallLists.value)
    .default([]),
  ics: icsSchema
    .optional()
    .describe(
      'In place of rotations: an iCalendar file, or the address of one. Of an address, only the host is read back.'
    ),
  overrides: list('They replace the rotations, or the calendar; where they overlap, the last one does.', overrideSchema)
    .max(LIMITS.onCallLists.value)
    .optional(),
  announce: oneOf(
    'Who is notified at a handover: `start`, the person whose shift begins; `both`, also the person whose shift ends.',
    ANNOUNCEMENTS,
    { default: 'none' }
  ).optional(),
};

export const onCallScheduleSchema = z
  .strictObject(scheduleMembers)
  .check(
    rule(({ rotations, ics }, refuse) => {
      if (rotations.length > 0 === (ics !== undefined)) {
        refuse(['rotations'], ics ? 'absent beside `ics`' : 'a list of rotations that is not empty, or `ics`');
      }
    })
  )
  .meta({ id: 'ProvisionedSchedule', description: 'Who is on call, and when.' });
export type OnCallSchedule = z.output<typeof onCallScheduleSchema>;

export const channelPersonSchema = strictComponent('ProvisionedPerson', 'The channels of a person.', {
  login: loginSchema.describe('Login in Grafana.'),
  channels: some(
    'Channels of the same file that reach the person; of type webpush, the own devices.',
    channelName,
    'channels',
    LIMITS.routeNames.value
  ),
  names: list(
    'Other names in calendars, such as an e-mail address. Only admins may read them.',
    z.string().trim().min(1).max(200),
    { examples: [['ada@example.org', 'Ada Lovelace']] }
  )
    .max(LIMITS.routeNames.value)
    .optional(),
});
export type ChannelPerson = z.output<typeof channelPersonSchema>;

const PLACES = { schedule: 'on call: ', person: 'person: ' } as const;
/** Whom a step of an escalation notifies, besides channels. */
export interface Place {
  kind: keyof typeof PLACES;
  /** Name of the schedule, or login of the person. */
  name: string;
}

/** In place of a channel in the outbox, until the step is due. Not the name of a channel. */
export const placeName = ({ kind, name }: Place): string => PLACES[kind] + name;

/** @returns undefined: it is a channel */
export function placeOf(channel: string): Place | undefined {
  const kind = (Object.keys(PLACES) as Place['kind'][]).find((one) => channel.startsWith(PLACES[one]));
  return kind && { kind, name: channel.slice(PLACES[kind].length) };
}

const spanSchema = z.object({
  from: time('When it begins.'),
  to: time('When it ends.'),
});

export const schedulesSchema = component('Schedules', 'Who is on call.', {
  schedules: objects('Sorted by name.', {
    ...scheduleMembers,
    overrides: list(
      'Those of the file, then those that were added, in this order.',
      shownOverrideSchema.extend({ begins: spanSchema.shape.from, ends: spanSchema.shape.to })
    ),
    file: string('The provisioning file.'),
    onCall: list('Logins of who is on call now; empty: nobody.', z.string()),
    until: nullable('When that changes; null: not in the next 14 days.', z.iso.datetime()),
    next: list('Who is on call then; empty: nobody, or it does not change.', z.string()),
    shifts: list(
      'Shifts of the next `days` without holes; at most 500.',
      spanSchema.extend({ people: list('Logins; empty: nobody.', z.string()) })
    ),
    gaps: list('When nobody is on call in the next 14 days; at most 100.', spanSchema),
    calendar: object('Of a schedule with `ics`: its calendar, which is read every 15 minutes.', {
      readAt: nullable('Time of the copy in use; null: there is none.', z.iso.datetime()),
      failure: nullable('Why the last attempt failed: a sentence without secrets.', z.string()),
      unknown: list('For admins: names in it that are no person with channels; at most 100.', z.string()),
    }).optional(),
  }),
  people: list(
    'People with channels, sorted by login.',
    channelPersonSchema.extend({
      file: string('The provisioning file.'),
      reachable: boolean('Whether an enabled channel or device reaches the person.'),
    })
  ),
  mine: objects('Schedules in which the caller is on call now.', {
    schedule: string('Its name.'),
    until: nullable('When the caller is relieved; null: not in the next 14 days.', z.iso.datetime()),
  }),
});
export type Schedules = z.infer<typeof schedulesSchema>;

export const schedulesQuerySchema = z.strictObject({
  days: z.coerce.number().int().min(0).max(14).optional().describe('Days of `shifts`.').meta({ default: 0 }),
});
