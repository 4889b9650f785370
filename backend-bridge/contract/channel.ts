/**
 * Channels carry notifications out of the inbox; routes decide which: the members `channels` and `routes` of provisioning files, and
 * the responses of /channels and /routes. Semantics: docs/channels.md.
 */
import { z } from 'zod';
import { deliverySchema } from './delivery.ts';
import { DEFAULT_PASSING, digestSchema, passingSchema, quietHoursListSchema, quietHoursSchema } from './hours.ts';
import { idQuerySchema } from './id.ts';
import { LIMITS } from './limits.ts';
import { foldCategory, nodeNameSchema, nodePathSchema, PRIORITIES, STATUSES } from './notification.ts';
import { durationSeconds } from './text.ts';
import { flag } from './flag.ts';

export const CHANNEL_TYPES = ['webhook', 'ntfy', 'telegram', 'email', 'webpush', 'nodebell'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

const whole = (min: number, max: number) =>
  z
    .union([z.number(), z.string().regex(/^\d{1,7}$/)], { error: `a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, {
      error: `a whole number from ${min} to ${max}`,
    });
const text = (max: number) => z.string().trim().min(1).max(max);
const filePath = text(4096);

const channelName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/i, {
    error: 'at most 63 letters, digits, dots, hyphens and underscores, the first a letter or a digit',
  })
  .meta({ examples: ['on-call'] });

const DAY_S = 86_400;
const giveUpAfter = z
  .string({ error: 'a duration such as 30m, 12h or 2d' })
  .regex(/^[1-9]\d{0,4}[smhd]$/, { error: 'a duration such as 30m, 12h or 2d' })
  .refine((given) => !(durationSeconds(given) > LIMITS.channelGiveUpDays.value * DAY_S), {
    error: `a duration of at most ${LIMITS.channelGiveUpDays.value}d`,
  });

/** One mailbox: `name@host` or `Name <name@host>`. Neither line breaks nor lists, so that a header stays one header. */
const mailbox = z.string().regex(/^(?:[^<>\r\n,;"]{0,100}<[^\s<>@,;"]+@[^\s<>@,;"]+>|[^\s<>@,;"]+@[^\s<>@,;"]+)$/, {
  error: 'a mail address such as "admin@example.org" or "Nodebell <nodebell@example.org>"',
});

/** Encryption of the connection to a mail server. */
const TLS_MODES = ['starttls', 'implicit', 'none'] as const;

/** Members of each type besides the common ones; the first list is required. */
export const MEMBERS_OF_TYPES: Readonly<
  Record<ChannelType, { required: readonly string[]; optional: readonly string[] }>
> = {
  webhook: { required: ['url'], optional: ['secret', 'secretFile'] },
  ntfy: { required: ['topic'], optional: ['url', 'token', 'tokenFile'] },
  telegram: { required: ['chatId'], optional: ['url', 'token', 'tokenFile'] },
  nodebell: { required: ['url', 'node'], optional: ['token', 'tokenFile'] },
  email: {
    required: ['host', 'from', 'to'],
    optional: ['port', 'tls', 'username', 'password', 'passwordFile'],
  },
  webpush: { required: ['subject'], optional: [] },
};
/** Members of all types. */
export const CHANNEL_COMMON = ['name', 'type', 'giveUpAfter', 'perMinute', 'inboxUrl', 'quietHours', 'passing'];

type Refused = [member: string, allowed: string];

/** Members that the type needs and lacks, or does not have. */
function membersRefused(type: ChannelType, given: Record<string, unknown>): Refused[] {
  const { required, optional } = MEMBERS_OF_TYPES[type];
  const known = [...required, ...optional];
  const missing = required.filter((member) => given[member] === undefined);
  const foreign = Object.keys(given).filter(
    (member) => given[member] !== undefined && !CHANNEL_COMMON.includes(member) && !known.includes(member)
  );
  return [
    ...missing.map((member): Refused => [member, `given for a channel of type ${type}`]),
    ...foreign.map((member): Refused => [member, `absent: a channel of type ${type} has ${known.join(', ')}`]),
  ];
}

function credentialsRefused(given: Record<string, unknown>, canUseFiles: boolean): Refused[] {
  const orFile = (member: string): string => (canUseFiles ? `, or "${member}File"` : '');
  const has = (member: string): boolean => given[member] !== undefined || given[`${member}File`] !== undefined;
  const twice = ['secret', 'token', 'password'].filter(
    (member) => given[member] !== undefined && given[`${member}File`] !== undefined
  );
  const rules: [boolean, Refused][] = [
    [given.type === 'telegram' && !has('token'), ['token', `given for a channel of type telegram${orFile('token')}`]],
    [given.type === 'nodebell' && !has('token'), ['token', `given for a channel of type nodebell${orFile('token')}`]],
    [has('password') && !has('username'), ['username', 'given where there is a password']],
    [has('username') && !has('password'), ['password', `given where there is a user name${orFile('password')}`]],
    [
      given.tls === 'none' && has('password'),
      ['tls', 'starttls or implicit where there is a password, which would be sent in clear text'],
    ],
  ];
  return [
    ...twice.map((member): Refused => [member, `absent beside "${member}File"`]),
    ...rules.flatMap(([applies, refused]) => (applies ? [refused] : [])),
  ];
}

export const channelMembers = {
  name: channelName.describe('Its name, in routes and on pages.'),
  type: z.enum(CHANNEL_TYPES).describe('Type of the channel.'),
  giveUpAfter: giveUpAfter
    .optional()
    .describe(
      'How long a notification is retried before it counts as undelivered. Default: 24h; of type nodebell: 7d.'
    ),
  perMinute: whole(1, 1_000_000)
    .optional()
    .describe(
      `Messages in a minute; what is beyond becomes one message that counts. Default: ${LIMITS.channelPerMinute.value}; of a webhook: no limit. Not of type nodebell.`
    ),
  inboxUrl: z
    .url({ protocol: /^https?$/, error: 'an http: or https: address' })
    .max(2048)
    .optional()
    .describe('The inbox as its readers open it, for the link of messages that have none.')
    .meta({ examples: ['https://grafana.example.org/a/nodebell-app/inbox'] }),
  quietHours: quietHoursListSchema
    .optional()
    .describe('Hours in which notifications wait; what has waited comes as one digest.'),
  passing: passingSchema
    .optional()
    .describe('Notifications of at least this priority do not wait in quiet hours; none: all wait.')
    .meta({ default: DEFAULT_PASSING }),
  url: z
    .url({ protocol: /^https?$/, error: 'an http: or https: address' })
    .max(2048)
    .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), { error: 'an address without user name and password' })
    .optional()
    .describe(
      'webhook: where notifications are posted. nodebell: the other bridge. ntfy: the server, https://ntfy.sh without it. telegram: a Bot API server of your own. The bridge may connect to its host, even in a private network.'
    ),
  node: nodeNameSchema.optional().describe('nodebell: the name of this bridge at the other one.'),
  secret: text(4096).optional().describe('webhook: the key of the signature, best as ${VARIABLE}.'),
  secretFile: filePath.optional().describe('webhook: a file that holds the key.'),
  topic: z
    .string()
    .regex(/^[-_A-Za-z0-9]{1,64}$/, { error: 'at most 64 letters, digits, hyphens and underscores' })
    .optional()
    .describe('ntfy: the topic. Whoever knows it can read it, unless the server has access control.'),
  token: text(4096)
    .regex(/^[\x21-\x7e]+$/, { error: 'one word of visible ASCII characters' })
    .optional()
    .describe(
      'ntfy: an access token. telegram: the token of the bot. nodebell: a sender token of the other bridge. Best as ${VARIABLE}.'
    ),
  tokenFile: filePath.optional().describe('A file that holds the token.'),
  chatId: z
    .union([z.number().int(), z.string().regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,63})$/)], {
      error: 'the number of a chat, or @name of a public channel',
    })
    .transform(String)
    .optional()
    .describe('telegram: the chat to which the bot writes.'),
  host: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,253}$/, { error: 'the name or address of a host' })
    .optional()
    .describe('email: the mail server. The bridge may connect to it, even in a private network.'),
  port: whole(1, 65_535).optional().describe('email: its port. Default: 587; with `tls: implicit`, 465; without, 25.'),
  tls: z
    .enum(TLS_MODES)
    .optional()
    .describe(
      'email: `starttls`: encrypted after a command, and rejected where the server cannot; `implicit`: from the first byte; `none`: not encrypted.'
    )
    .meta({ default: 'starttls' }),
  username: text(320).optional().describe('email: for authentication.'),
  password: text(4096).optional().describe('email: best as ${VARIABLE}.'),
  passwordFile: filePath.optional().describe('email: a file that holds the password.'),
  from: mailbox.optional().describe('email: the sender.'),
  to: z.array(mailbox).min(1).max(LIMITS.channelRecipients.value).optional().describe('email: the recipients.'),
  subject: z
    .string()
    .max(320)
    .regex(/^(?:mailto:[^\s<>@,;"]+@[^\s<>@,;"]+|https:\/\/[^\s/]+\S*)$/, {
      error: 'a contact such as "mailto:admin@example.org", or an https: address',
    })
    .optional()
    .describe('webpush: a contact for the operators of push services (RFC 8292).')
    .meta({ examples: ['mailto:admin@example.org'] }),
};

/** Rules about members that belong together. @param canUseFiles whether a secret may be in a file */
export const rulesOfTypes = (canUseFiles: boolean) => (context: z.core.ParsePayload<{ type: ChannelType }>) => {
  const given = context.value as Record<string, unknown>;
  const { type } = context.value;
  // At a member, never at the whole entry: messages repeat what they are about, and the entry holds secrets.
  for (const [member, message] of [...membersRefused(type, given), ...credentialsRefused(given, canUseFiles)]) {
    context.issues.push({ code: 'custom', path: [member], message, input: given });
  }
};

export const provisionedChannelSchema = z
  .strictObject(channelMembers)
  .check(rulesOfTypes(true))
  .meta({ id: 'ProvisionedChannel', description: 'A channel, over which notifications leave the inbox.' });
export type ProvisionedChannelEntry = z.output<typeof provisionedChannelSchema>;

const unacknowledged = z
  .string({ error: 'a duration such as 10m or 2h' })
  .regex(/^[1-9]\d{0,4}[mh]$/, { error: 'a duration such as 10m or 2h' })
  .refine((given) => !(durationSeconds(given) > LIMITS.unacknowledgedDays.value * DAY_S), {
    error: `a duration of at most ${LIMITS.unacknowledgedDays.value * 24}h`,
  });

const some = <T extends z.ZodType>(item: T, what: string) =>
  z
    .array(item)
    .max(LIMITS.routeNames.value)
    .refine((list) => list.length > 0, { error: `a list of ${what} that is not empty` });

export const routeSchema = z
  .strictObject({
    channels: some(channelName, 'channels').describe('Channels of the same file; on the page, any channel.'),
    priority: z.enum(PRIORITIES).optional().describe('Notifications of at least this priority; none: all.'),
    categories: some(text(1024).transform(foldCategory), 'categories')
      .optional()
      .describe('Only these categories; none: all.'),
    packages: some(text(200), 'packages').optional().describe('Only these packages; none: all.'),
    statuses: some(z.enum(STATUSES), 'statuses').optional().describe('Only these statuses; none: both.'),
    nodes: some(nodePathSchema, 'nodes').optional().describe('Only of these nodes; none: all.'),
    persons: some(text(200), 'persons')
      .optional()
      .describe(
        'Only the devices of these persons, by their login in Grafana; none: those of everybody. Channels of type webpush only.'
      ),
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
  .check((context) => {
    const { digest, unacknowledged: after } = context.value;
    if (digest !== undefined && after !== undefined) {
      const message = 'absent beside "unacknowledged"';
      context.issues.push({ code: 'custom', path: ['digest'], message, input: digest });
    }
  })
  .meta({
    id: 'Route',
    description: 'Which notifications go to which channels. The first route that matches decides.',
  });
export type Route = z.output<typeof routeSchema>;

/** Members that make notifications wait, or depend on that: not for channels of type nodebell, since the other bridge decides what waits. */
export const holdingMembers = (route: Pick<Route, 'digest' | 'unacknowledged' | 'dropResolved'>) =>
  (['digest', 'unacknowledged', 'dropResolved'] as const).filter((member) => Boolean(route[member]));

/** A route with its place: routes are tried by file name, then in the order of the file; those of the page are the last. */
export const placedRouteSchema = routeSchema
  .safeExtend({
    file: z.string().optional().describe('The provisioning file; absent: the page.'),
    index: z
      .int()
      .describe(
        'Its place in the file or on the page, from 0; -1: the default of a channel of type webpush to which no route leads.'
      ),
  })
  .meta({ id: 'PlacedRoute', description: 'A route and where it is.' });
export type PlacedRoute = z.output<typeof placedRouteSchema>;

/** Why a notification is not sent at once. */
const WAITS_FOR = ['quiet hours', 'digest', 'unacknowledged'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/**
 * `idle`: nothing was sent yet; `ok`: the last message was delivered; `failing`: the last message was not, and is retried or given up.
 */
export const CHANNEL_STATES = ['idle', 'ok', 'failing'] as const;

export const channelSchema = z
  .object({
    name: z.string().describe('Its name.'),
    type: z.enum(CHANNEL_TYPES).describe('Type of the channel.'),
    file: z.string().optional().describe('The provisioning file; absent: it was added on the page.'),
    target: z.string().describe('Where it leads: a host, or the recipients of mail. No secret.'),
    node: z.string().optional().describe('nodebell: the name of this bridge at the other one.'),
    giveUpAfter: z.string().describe('How long a notification is retried.'),
    perMinute: z.int().nullable().describe('Messages in a minute; null: no limit.'),
    quietHours: z.array(quietHoursSchema).optional().describe('Hours in which notifications wait.'),
    passing: passingSchema
      .optional()
      .describe('Priority from which notifications do not wait in them.')
      .meta({ default: DEFAULT_PASSING }),
    disabled: z.boolean().describe('Whether nothing is sent.'),
    settings: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('For channels of the page: members that can be read back.'),
    has: z
      .array(z.string())
      .optional()
      .describe('For channels of the page: members that are set and cannot be read back.'),
    state: z.enum(CHANNEL_STATES).describe('Whether it delivers.'),
    failingSince: z.iso
      .datetime()
      .nullable()
      .describe('When the oldest notification arrived that is retried, or the last one was given up; null: none.'),
    lastDeliveredAt: z.iso.datetime().nullable().describe('Time of the last delivery; null: none.'),
    lastFailure: z.string().nullable().describe('Why the last message was not delivered; null: it was.'),
    waiting: z.int().describe('Notifications that wait to be sent.'),
    held: z.int().describe('Notifications that wait for a digest, the end of quiet hours, or an acknowledgement.'),
    holds: z
      .array(
        z.object({
          why: z.enum(WAITS_FOR).describe('Reason for holding them.'),
          count: z.int().describe('How many.'),
          until: z.iso.datetime().describe('When the first of them is sent, unless it is acknowledged before.'),
        })
      )
      .describe('Held notifications by reason.'),
    undelivered: z.int().describe('Notifications that were given up: GET /channels/undelivered.'),
    routes: z.array(placedRouteSchema).describe('Routes that lead to it.'),
  })
  .meta({ id: 'Channel', description: 'A channel and its state.' });
export type ChannelStatus = z.infer<typeof channelSchema>;

export const channelListSchema = z
  .object({
    channels: z.array(channelSchema).describe('Sorted by name.'),
    routes: z.array(placedRouteSchema).describe('In the order in which they are tried.'),
    revision: z.string().describe('Revision of the routes of the page, for PUT /routes.'),
  })
  .meta({ id: 'Channels', description: 'Channels and routes.' });
export type ChannelList = z.infer<typeof channelListSchema>;

export const channelTestSchema = z
  .object({
    delivered: z.boolean().describe('Whether the test message was accepted.'),
    reason: z.string().optional().describe('Why not. A sentence without secrets.'),
  })
  .meta({ id: 'ChannelTest', description: 'The result of a test message.' });
export type ChannelTest = z.infer<typeof channelTestSchema>;

export const undeliveredSchema = z
  .object({
    undelivered: z
      .array(
        deliverySchema.extend({
          id: z.int().positive().describe('For POST /channels/undelivered/{id}/send.'),
          notification: z.int().describe('Id of the notification.'),
          title: z.string().nullable().describe('Its title; null: it was removed.'),
        })
      )
      .describe('Newest first.'),
    next: z.int().positive().nullable().describe('`before` of the next page; null: this is the last one.'),
  })
  .meta({ id: 'Undelivered', description: 'Notifications that were not delivered.' });
export type Undelivered = z.infer<typeof undeliveredSchema>;

export const undeliveredQuerySchema = z.strictObject({
  before: idQuerySchema.optional().describe('Entries with a smaller id: `next` of a page.'),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Entries in a page.').meta({ default: 50 }),
});

/** Fields that routes compare; the defaults are those of a notification. */
export const routeTestBodySchema = z
  .strictObject({
    category: text(1024).optional().describe('Its category.').meta({ default: 'other' }),
    dnpName: text(200).optional().describe('Its package.').meta({ default: 'unknown' }),
    priority: z.enum(PRIORITIES).optional().describe('Its priority.').meta({ default: 'low' }),
    status: z.enum(STATUSES).optional().describe('Its status.').meta({ default: 'triggered' }),
    node: nodePathSchema.optional().describe('Its node. Default: none.'),
  })
  .meta({ id: 'RouteTest', description: 'The notification for which routes are tested.' });

/** Fields that routes compare. */
const COMPARED = ['priority', 'category', 'package', 'status', 'node'] as const;

export const routeTestResultSchema = z
  .object({
    channels: z.array(z.string()).describe('Channels to which it would be sent.'),
    routes: z
      .array(
        placedRouteSchema.extend({
          matches: z.boolean().describe('Whether it matches.'),
          reached: z.boolean().describe('False: a route before it matched, without `continue`.'),
          why: z.array(z.string()).describe('Each comparison, in words.'),
          comparisons: z
            .array(
              z.object({
                what: z.enum(COMPARED).describe('Compared field.'),
                found: z.string().describe('Value of the notification; empty: none.'),
                allowed: z
                  .array(z.string())
                  .describe('Values of the route: one of these; for the priority, at least this one.'),
                holds: z.boolean().describe('Whether it matches.'),
              })
            )
            .describe('The reasons as data; empty: the route matches every notification.'),
        })
      )
      .describe('All routes, in order.'),
    waits: z
      .array(
        z.object({
          channel: z.string().describe('One of `channels`.'),
          why: z.enum(WAITS_FOR).describe('Reason for holding it.'),
          until: z.iso.datetime().describe('When that ends, if it arrives now.'),
        })
      )
      .describe('Channels to which it would not be sent at once.'),
  })
  .meta({ id: 'RouteTestResult', description: 'Which routes match, and why.' });
export type RouteTestResult = z.infer<typeof routeTestResultSchema>;
/** One comparison of a route with a notification. */
export type Comparison = RouteTestResult['routes'][number]['comparisons'][number];
