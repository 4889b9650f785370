/**
 * Channels carry notifications out of the inbox; routes decide which: the members `channels` and `routes` of provisioning files, and
 * the responses of /channels and /routes. Semantics: docs/channels.md.
 */
import { z } from 'zod';
import {
  boolean,
  component,
  countQuery,
  integer,
  list,
  nullable,
  objects,
  oneOf,
  rule,
  some,
  string,
  time,
} from './schema.ts';
import { channelName } from './channelTypes/common.ts';
import { text } from './channelTypes/descriptor.ts';
import {
  CHANNEL_TYPES,
  type ChannelType,
  fieldSchemas,
  type Secret,
  SECRETS,
  violationsOf,
} from './channelTypes/index.ts';
import { deliverySchema } from './delivery.ts';
import { DEFAULT_PASSING, digestSchema, passingSchema, quietHoursListSchema, quietHoursSchema } from './hours.ts';
import { idQuerySchema } from './id.ts';
import { loginSchema, scheduleName } from './onCall.ts';
import { LIMITS } from './limits.ts';
import { foldCategory, nodePathSchema, PRIORITIES, STATUSES } from './notification.ts';
import { matchersText } from './suppression.ts';
import { flag } from './flag.ts';
import { durationSeconds } from './text.ts';
import { duration } from './time.ts';

export const channelMembers = {
  name: channelName.describe('Its name, in routes and on pages.'),
  type: oneOf('Type of the channel.', CHANNEL_TYPES),
  quietHours: quietHoursListSchema
    .optional()
    .describe('Hours in which notifications wait; what has waited comes as one digest.'),
  passing: passingSchema
    .optional()
    .describe('Notifications of at least this priority do not wait in quiet hours; none: all wait.')
    .meta({ default: DEFAULT_PASSING }),
  ...fieldSchemas,
};

/** Rules about fields that belong together. @param canUseFiles whether a secret may be in a file */
export const rulesOfTypes = (canUseFiles: boolean) =>
  rule<{ type: ChannelType }>((given, refuse) =>
    // At a member, never at the whole entry: messages repeat what they are about, and the entry holds secrets.
    violationsOf(given.type, given, canUseFiles).forEach(([member, allowed]) => refuse([member], allowed))
  );

const secretFiles = Object.fromEntries(
  SECRETS.map((key) => [`${key}File`, text(4096).optional().describe(`A file that holds the ${key}.`)])
) as Record<`${Secret}File`, z.ZodOptional<ReturnType<typeof text>>>;
export const provisionedChannelSchema = z
  .strictObject({ ...channelMembers, ...secretFiles })
  .check(rulesOfTypes(true))
  .meta({ id: 'ProvisionedChannel', description: 'A channel, over which notifications leave the inbox.' });
export type ProvisionedChannelEntry = z.output<typeof provisionedChannelSchema>;

const unacknowledged = duration('mh', LIMITS.unacknowledgedDays.value, '10m or 2h');

const names = LIMITS.routeNames.value;
const stepSchema = z
  .strictObject({
    after: z
      .union([z.literal('0m'), unacknowledged], { error: 'a duration such as 0m, 10m or 2h' })
      .describe('Time from the arrival of the alert.')
      .meta({ examples: ['10m'] }),
    onCall: scheduleName.optional().describe('Whoever is on call then in this schedule.'),
    people: some('These people, by their logins.', loginSchema, 'logins', names).optional(),
    channels: some('These channels.', channelName, 'channels', names).optional(),
  })
  .refine(({ onCall, people, channels }) => (onCall ?? people ?? channels) !== undefined, {
    error: 'an object with onCall, people or channels',
    abort: true,
  })
  .describe('Whom an alert reaches that nobody has acknowledged.');

export const routeSchema = z
  .strictObject({
    channels: list(
      'Channels of the same file; on the page, any channel. Required without `onCall` and `escalation`.',
      channelName
    )
      .max(LIMITS.routeNames.value)
      .default([]),
    onCall: scheduleName.optional().describe('Sent to whoever is on call in this schedule when it arrives.'),
    escalation: some(
      'Steps until somebody acknowledges it.',
      stepSchema,
      'steps',
      LIMITS.escalationSteps.value
    ).optional(),
    repeatEvery: unacknowledged
      .optional()
      .describe(`The steps begin again after this time, at most ${LIMITS.escalationSteps.value} times.`)
      .meta({ examples: ['30m'] }),
    remindAcknowledged: unacknowledged
      .optional()
      .describe('What is acknowledged and still open is sent again after this time, until it resolves.')
      .meta({ examples: ['4h'] }),
    priority: oneOf('Notifications of at least this priority; none: all.', PRIORITIES).optional(),
    categories: some(
      'Only these categories; none: all.',
      text(1024).transform(foldCategory),
      'categories',
      names
    ).optional(),
    packages: some('Only these packages; none: all.', text(200), 'packages', names).optional(),
    statuses: some('Only these statuses; none: both.', z.enum(STATUSES), 'statuses', names).optional(),
    nodes: some('Only of these nodes; none: all.', nodePathSchema, 'nodes', names).optional(),
    matchers: matchersText
      .optional()
      .describe("Only labels that match, in Alertmanager's syntax; none: all. Labels are those of maintenance windows.")
      .meta({ examples: ['team="disks"'] }),
    persons: some(
      'Only the devices of these persons, by their login in Grafana; none: those of everybody. Channels of type webpush only.',
      text(200),
      'persons',
      names
    ).optional(),
    digest: digestSchema
      .optional()
      .describe('Notifications wait, and are sent as one message.')
      .meta({ examples: ['daily 08:00 Europe/Berlin'] }),
    unacknowledged: unacknowledged
      .optional()
      .describe('Only what nobody has acknowledged, and has not resolved, after this time.')
      .meta({ examples: ['10m'] }),
    dropResolved: flag
      .optional()
      .describe('Whether what resolves while it waits is not sent at all.')
      .meta({ default: false }),
    continue: flag.optional().describe('Whether the routes after it are tried as well.').meta({ default: false }),
  })
  .check(rule((route, refuse) => routeMistakes(route).forEach(([member, allowed]) => refuse([member], allowed))))
  .meta({
    id: 'Route',
    description: 'Which notifications go to which channels. The first route that matches decides.',
  });
export type Route = z.output<typeof routeSchema>;

/** Members that contradict others, with what is allowed. */
function routeMistakes(route: Route): [member: keyof Route, allowed: string][] {
  const { channels, digest, onCall, escalation = [], unacknowledged: delay, repeatEvery } = route;
  const escalating = (['unacknowledged', 'onCall', 'escalation'] as const).filter((one) => route[one] !== undefined);
  const longestAfter = Math.max(...[delay ?? '0m', ...escalation.map(({ after }) => after)].map(durationSeconds));
  const mistakes: (false | [keyof Route, string])[] = [
    channels.length === 0 &&
      onCall === undefined &&
      escalation.length === 0 && ['channels', 'a list that is not empty'],
    digest !== undefined && escalating[0] !== undefined && ['digest', `absent beside "${escalating[0]}"`],
    repeatEvery !== undefined &&
      escalating.length === 0 && ['repeatEvery', 'absent without "unacknowledged", "onCall" and "escalation"'],
    repeatEvery !== undefined &&
      durationSeconds(repeatEvery) <= longestAfter && ['repeatEvery', 'a longer time than that of each step'],
  ];
  return mistakes.filter((one) => one !== false);
}

/** Members that make notifications wait, or depend on that: not for channels of type nodebell, since the other bridge decides what waits. */
export const holdingMembers = (route: Pick<Route, (typeof HOLDING)[number]>) =>
  HOLDING.filter((member) => Boolean(route[member]));
const HOLDING = ['digest', 'unacknowledged', 'dropResolved', 'escalation', 'remindAcknowledged'] as const;

/** A route with its place: routes are tried by file name, then in the order of the file; those of the page are the last. */
export const placedRouteSchema = routeSchema
  .safeExtend({
    file: string('The provisioning file; absent: the page.').optional(),
    index: integer(
      'Its place in the file or on the page, from 0; -1: the default of a channel of type webpush to which no route leads.'
    ),
  })
  .meta({ id: 'PlacedRoute', description: 'A route and where it is.' });
export type PlacedRoute = z.output<typeof placedRouteSchema>;

/** Why a notification is not sent at once. */
export const WAITS_FOR = ['quiet hours', 'digest', 'unacknowledged'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/**
 * `idle`: nothing was sent yet; `ok`: the last message was delivered; `failing`: the last message was not, and is retried or given up.
 */
export const CHANNEL_STATES = ['idle', 'ok', 'failing'] as const;

export const channelSchema = component('Channel', 'A channel and its state.', {
  name: string('Its name.'),
  type: oneOf('Type of the channel.', CHANNEL_TYPES),
  file: string('The provisioning file; absent: it was added on the page.').optional(),
  target: string('Where it leads: a host, or the recipients of mail. No secret.'),
  node: string('nodebell: the name of this bridge at the other one.').optional(),
  giveUpAfter: string('How long a notification is retried.'),
  perMinute: nullable('Messages in a minute; null: no limit.', z.int()),
  quietHours: list('Hours in which notifications wait.', quietHoursSchema).optional(),
  passing: passingSchema
    .optional()
    .describe('Priority from which notifications do not wait in them.')
    .meta({ default: DEFAULT_PASSING }),
  disabled: boolean('Whether nothing is sent.'),
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('For channels of the page: members that can be read back.'),
  has: list('For channels of the page: members that are set and cannot be read back.', z.string()).optional(),
  state: oneOf('Whether it delivers.', CHANNEL_STATES),
  failingSince: nullable(
    'When the oldest notification arrived that is retried, or the last one was given up; null: none.',
    z.iso.datetime()
  ),
  lastDeliveredAt: nullable('Time of the last delivery; null: none.', z.iso.datetime()),
  lastFailure: nullable('Why the last message was not delivered; null: it was.', z.string()),
  warning: string(
    'A problem of the last message, which was delivered: a template failed, or an address was rejected. Absent: none.'
  ).optional(),
  waiting: integer('Notifications that wait to be sent.'),
  held: integer('Notifications that wait for a digest, the end of quiet hours, or an acknowledgement.'),
  holds: objects('Held notifications by reason.', {
    why: oneOf('Reason for holding them.', WAITS_FOR),
    count: integer('How many.'),
    until: time('When the first of them is sent, unless it is acknowledged before.'),
  }),
  undelivered: integer('Notifications that were given up: GET /channels/undelivered.'),
  routes: list('Routes that lead to it.', placedRouteSchema),
});
export type ChannelStatus = z.infer<typeof channelSchema>;

export const channelListSchema = component('Channels', 'Channels and routes.', {
  channels: list('Sorted by name.', channelSchema),
  routes: list('In the order in which they are tried.', placedRouteSchema),
  revision: string('Revision of the routes of the page, for PUT /routes.'),
});
export type ChannelList = z.infer<typeof channelListSchema>;

export const channelTestSchema = component('ChannelTest', 'The result of a test message.', {
  delivered: boolean('Whether the test message was accepted, for all recipients.'),
  reason: string('Why not. A sentence without secrets.').optional(),
});
export type ChannelTest = z.infer<typeof channelTestSchema>;

export const undeliveredSchema = component('Undelivered', 'Notifications that were not delivered.', {
  undelivered: list(
    'Newest first.',
    deliverySchema.extend({
      id: integer('For POST /channels/undelivered/{id}/send.').positive(),
      notification: integer('Id of the notification.'),
      title: nullable('Its title; null: it was removed.', z.string()),
    })
  ),
  next: nullable('`before` of the next page; null: this is the last one.', z.int().positive()),
});
export type Undelivered = z.infer<typeof undeliveredSchema>;

export const undeliveredQuerySchema = z.strictObject({
  before: idQuerySchema.optional().describe('Entries with a smaller id: `next` of a page.'),
  limit: countQuery('Entries in a page.', 200, 50),
});
