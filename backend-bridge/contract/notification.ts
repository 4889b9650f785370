/**
 * A notification: what a sender posts, and what the inbox keeps.
 * Source of each row: the specification, section "Notification"; defaults and threads: docs/decisions.
 */
import { z } from 'zod';
import { boolean, component, integer, list, nullable, object, oneOf, string, time } from './schema.ts';
import { deliverySchema } from './delivery.ts';
import { duration } from './time.ts';
import { labelsSchema } from './labels.ts';
import { LIMITS } from './limits.ts';
import { acknowledgedSchema, activitySchema, assigneeSchema, snoozedSchema, suppressedSchema } from './respond.ts';
import { fitsBytes, grouped, isStorableTime, safeLink, STORABLE_TIMES } from './text.ts';

/** Priorities, lowest first; the position is the rank by which the store sorts. */
export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;
export const STATUSES = ['triggered', 'resolved'] as const;
/** Origin of a notification. `webhook`: an API of another program (contract/foreignApis.ts); `admin`: resolved by hand in the inbox; `bridge`: the bridge itself, about a chain's node. */
export const SOURCES = ['api', 'grafana', 'alertmanager', 'gatus', 'webhook', 'admin', 'bridge'] as const;
/** The words that people see for a priority. */
export const PRIORITY_WORDS = {
  low: 'Informational',
  medium: 'Relevant',
  high: 'Important',
  critical: 'Critical',
} as const satisfies Record<Priority, string>;

export const DEFAULTS = { category: 'other', dnpName: 'unknown', priority: 'low', status: 'triggered' } as const;

/** The package of notifications about the bridge itself, which no sender may use. Other bridges send it with their node. */
export const OWN_PACKAGE = 'nodebell';

/** Categories that differ by case are one: they are stored, filtered and switched in lower case. */
export const foldCategory = (category: string): string => category.toLowerCase();

export type Priority = (typeof PRIORITIES)[number];
export type Status = (typeof STATUSES)[number];
export type Source = (typeof SOURCES)[number];

const NODE_NAME = '[A-Za-z0-9][A-Za-z0-9._-]{0,62}';
/** The name of a node in a notification: of the last bridge that it came from, a slash, and of those before it. */
export const NODE_PATH = new RegExp(String.raw`^${NODE_NAME}(?:/${NODE_NAME}){0,4}$`);
export const nodePathSchema = z
  .string()
  .regex(NODE_PATH, {
    error:
      'a name of at most 63 letters, digits, dots, hyphens and underscores, or at most five of them with slashes between',
  })
  .meta({ examples: ['attic'] });
/** Means notifications without a node, where nodes are named. */
export const NO_NODE = '-';
/** Name of one bridge. */
export const nodeNameSchema = z
  .string()
  .regex(new RegExp(`^${NODE_NAME}$`), {
    error: 'at most 63 letters, digits, dots, hyphens and underscores, the first a letter or a digit',
  })
  .meta({ examples: ['attic'] });

/** Beginning of a {@link safeLink}: all that a JSON Schema can express of it. */
const LINK_PATTERN = String.raw`^\s*([Hh][Tt][Tt][Pp][Ss]?:|/(?![/\\]))`;

/** A JSON Schema counts characters, of which there are never more than bytes. */
const atMost = (bytes: number) => ({
  fits: (text: string) => fitsBytes(text, bytes),
  error: `at most ${grouped(bytes)} bytes of UTF-8`,
  maxLength: bytes,
});
const NAME = atMost(LIMITS.nameBytes.value);

const name = (description: string, examples: string[], initial?: string) =>
  string(description, { ...(initial !== undefined && { default: initial }), examples, maxLength: NAME.maxLength })
    .refine(NAME.fits, { error: NAME.error })
    .optional();

/** Said twice: of what is sent and of what is kept, which are published as schemas of their own. */
const link = (description: string, examples: string[], { fits, error, maxLength }: ReturnType<typeof atMost>) =>
  z
    .string()
    .refine(fits, { error, abort: true })
    .refine((value) => safeLink(value) !== undefined, {
      error: 'an http: or https: address, or a path that begins with /',
    })
    .meta({ description, examples, format: 'uri-reference', pattern: LINK_PATTERN, maxLength })
    .transform((value) => safeLink(value) ?? value)
    // Not `uri-reference`: characters beyond ASCII stay as they were sent.
    .pipe(z.string().meta({ description, examples }));

/** After how long without news a thread resolves. */
export const resolveAfterSchema = duration('smhd', LIMITS.resolveAfterDays.value, '30m or 2d');
const LINK_TITLE = atMost(LIMITS.linkTitleBytes.value);

const ICON =
  'Icon of the notification: the http: or https: address of a PNG, JPEG, GIF or WebP image. The bridge fetches it; browsers never do, and a path is not shown. When absent, the icon of the sending package is used.';

export const callToActionSchema = component('CallToAction', 'A link for the reader to act on.', {
  title: string('The title of the button.', { examples: ['Free up space'], maxLength: LINK_TITLE.maxLength })
    .min(1)
    .refine(LINK_TITLE.fits, { error: LINK_TITLE.error }),
  url: link(
    'Where the button leads: http:, https: or a path of the same host.',
    ['http://dappmanager.dappnode', '/d/host?var-node=1'],
    atMost(LIMITS.linkBytes.value)
  ),
});

/** Body of a send. Only `title` and `body` are required; see {@link readPayload} for lenient parsing. */
export const payloadSchema = component(
  'NotificationPayload',
  'A notification as sent. Unknown members are kept and never shown; `seen` and `timestamp` are ignored. What else does not match this schema is replaced by its default or left out, and listed in `ignored` of the response; with `?strict=true` it is a 400.',
  {
    title: string('Title of the notification. At least one visible character.', {
      examples: ['Only 4.6 GB of disk space left'],
      minLength: 1,
      pattern: String.raw`\S`,
    }).refine((title) => title.trim() !== '', { error: 'text with at least one visible character' }),
    body: string('The text, in Markdown. It is shown sanitised; images are not loaded.', {
      examples: ['Packages will be stopped when less than **1 GB** is free.'],
    }),
    category: name(
      'Groups notifications by type: any text. Stored in lower case.',
      ['hardware', 'ethereum', 'system'],
      DEFAULTS.category
    ),
    dnpName: name(
      'Name of the package that sends it. Default: the package of the sender token, else "unknown".',
      ['dms.dnp.dappnode.eth'],
      DEFAULTS.dnpName
    ),
    priority: oneOf('How soon a person should act. Read without regard to case.', PRIORITIES, {
      default: DEFAULTS.priority,
      examples: ['high'],
    }).optional(),
    status: oneOf(
      'triggered: the alert fires. resolved: it has resolved; closes the thread and its banner. If left out, the notification is an event: stored as triggered, but never counted as open.',
      STATUSES,
      { default: DEFAULTS.status, examples: ['triggered'] }
    ).optional(),
    correlationId: name(
      'Notifications of one package and node with the same correlationId are one thread. Default: the new id.',
      ['core-disk-usage']
    ),
    isBanner: boolean(
      'Show a banner at the top of the inbox while the thread is triggered and unseen. "true" and "false" are read too.',
      { default: false, examples: [true] }
    ).optional(),
    callToAction: callToActionSchema.optional().describe('A link for the reader to act on.'),
    errors: string(
      'An error about the notification itself. When given, it is listed under "Delivery errors", never in the inbox.',
      { examples: ['lookup dms.dappnode: no such host'] }
    ).optional(),
    icon: link(ICON, ['https://example.org/icon.png'], atMost(LIMITS.iconAddressBytes.value)).optional().describe(ICON),
    node: nodePathSchema
      .optional()
      .describe('The node that it comes from, such as another bridge. A sender token may determine it.'),
    labels: labelsSchema
      .optional()
      .describe(
        'Labels to filter by. Labels that differ in each notification, such as request ids, do not belong here.'
      )
      .meta({ examples: [{ instance: 'node1', team: 'storage' }] }),
    resolveAfter: resolveAfterSchema
      .optional()
      .describe(
        'With `status` triggered: the bridge resolves the thread when no notification of it with a status has arrived for this long.'
      )
      .meta({ examples: ['30m'] }),
    sentAt: z.iso
      .datetime({ offset: true, abort: true })
      .refine(isStorableTime, { error: STORABLE_TIMES })
      .optional()
      .describe('When the node received it: ISO 8601. It is shown, but not used for sorting.')
      .meta({ examples: ['2026-11-21T10:00:00.000Z'] }),
  }
);

/** A checked payload: links trimmed, enumerations in lower case, empty optional members gone. */
export type NotificationPayload = z.output<typeof payloadSchema>;

/** Names of the members that a payload may have. */
export const PAYLOAD_MEMBERS: ReadonlySet<string> = new Set(Object.keys(payloadSchema.shape));
/** Members that the bridge sets itself; in a payload they are ignored (specification, "Notification"). */
export const SET_BY_BRIDGE: ReadonlySet<string> = new Set([
  'seen',
  'timestamp',
  'id',
  'source',
  'muted',
  'thread',
  'ignored',
]);

export const THREAD_STATES = ['open', 'resolved', 'event'] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

/** The thread that a notification belongs to: all with the same (`node`, `dnpName`, `correlationId`). */
/** Changes of state within an hour from which on a thread is flapping. */
export const FLAPPING_TURNS = 4;

export const threadSchema = component('Thread', 'The state of a thread.', {
  state: oneOf(
    'open: the newest member is triggered. resolved: it is resolved. event: it has no status.',
    THREAD_STATES
  ),
  count: integer('Members that the inbox shows (neither muted nor with errors).'),
  unseen: integer('Members of these that nobody has seen.'),
  unread: integer('Members of these that you have not read. Absent without a read state of your own.').optional(),
  openedAt: nullable('When the thread was opened last.', z.iso.datetime()),
  closedAt: nullable('When the thread was resolved last; null while open, or if it never was.', z.iso.datetime()),
  lastAt: time('When the newest member without errors arrived; the first, where all have errors.'),
  stale: boolean('Open, but without a new notification for seven days: no longer in the Open view.'),
  closedByHand: boolean('It was resolved by hand.'),
  burst: object('The burst of threads of one source that it opened in. Absent: none.', {
    id: integer('For the parameter `burst`, which lists its threads.'),
    name: string('Name of the source: the rule of the alerts, or the package.'),
    count: integer('Threads of it that match. This and the following only with `bursts=collapsed`.').optional(),
    open: integer('Open ones of these, without stale ones.').optional(),
    unread: integer('Threads among these with members that you have not read.').optional(),
    priority: oneOf('The highest priority among these.', PRIORITIES).optional(),
  }).optional(),
  flapping: object(`It fired and resolved again and again: at least ${FLAPPING_TURNS} times in the last hour.`, {
    turns: integer('How often it fired or resolved in the last hour.'),
    since: time('The first of these times.'),
  }).optional(),
  acknowledged: acknowledgedSchema.optional().describe('Somebody has acknowledged it. Absent: nobody has.'),
  assignee: assigneeSchema.optional().describe('To whom it is assigned. Absent: nobody.'),
  suppressed: suppressedSchema.optional().describe('Its newest notification is sent to no channel. Absent: it is.'),
  inhibits: integer('Number of threads that it inhibits. Absent: none.').optional(),
  comments: integer('Number of comments. Absent: none.').optional(),
  snoozed: snoozedSchema.optional().describe('Snoozed until then. Absent: not snoozed.'),
  returnedAt: time('When its snooze ended. Until it is read, it is on top of lists of threads.').optional(),
});
export type Thread = z.infer<typeof threadSchema>;

/** After this long without news an open thread is stale. Milliseconds. */
export const STALE_AFTER_MS = 7 * 24 * 3600 * 1000;

/** Texts that are cut in responses and served whole by GET /notifications/{id}/{text}. */
export const WHOLE_TEXTS = ['title', 'body', 'errors'] as const;
export type WholeText = (typeof WHOLE_TEXTS)[number];

const truncated = (text: WholeText) =>
  boolean(
    `True when the ${text} was too long for the response and was cut: GET /notifications/{id}/${text} has it.`
  ).optional();

/** A notification as stored and served. */
export const notificationSchema = component('Notification', 'A notification as stored.', {
  id: integer('Grows with arrival.'),
  timestamp: z.iso.datetime({ precision: 3 }).describe('When the bridge received it: ISO 8601, UTC, milliseconds.'),
  title: string('Title of the notification.'),
  titleTruncated: truncated('title'),
  body: string('The text, in Markdown.'),
  bodyTruncated: truncated('body'),
  bodyBytes: integer('Length of the whole body in bytes of UTF-8; only where it was cut.').optional(),
  category: string('Groups notifications by type.'),
  dnpName: string('Name of the package that sent it.'),
  priority: oneOf('How soon a person should act.', PRIORITIES),
  status: oneOf('As sent; "triggered" when it was left out.', STATUSES),
  correlationId: string('Joins the members of a thread.'),
  isBanner: boolean('As sent.'),
  callToAction: callToActionSchema.optional().describe('A link for the reader to act on.'),
  errors: string('An error about the notification itself.').optional(),
  errorsTruncated: truncated('errors'),
  icon: string('Icon of the notification, as sent. The image itself: GET /notifications/{id}/icon.').optional(),
  node: string('The node that it comes from, such as another bridge. Absent: none.').optional(),
  sentAt: time('When that node received it.').optional(),
  labels: z.record(z.string(), z.string()).optional().describe('Its labels, by name. Absent: none.'),
  seen: boolean('Somebody has viewed it.'),
  read: boolean(
    'You have read it. Absent without a read state of your own, which users of Grafana have unless the state is shared by all: then `seen` is the only one.'
  ).optional(),
  source: oneOf('The source: by which interface it was received.', SOURCES),
  muted: boolean('It arrived while its category, package or endpoint was switched off.'),
  thread: threadSchema.describe('The thread that it belongs to.'),
});
export type Notification = z.infer<typeof notificationSchema>;

/** A member of a payload that is not stored as it was sent. */
export const ignoredMemberSchema = component('IgnoredMember', 'A member that was changed or left out, and why.', {
  pointer: string('Where: a JSON Pointer (RFC 6901) into the body as sent.'),
  reason: string('The problem and the value stored instead, as a sentence.'),
});
export type IgnoredMember = z.infer<typeof ignoredMemberSchema>;

const ignored = list(
  `Members that were changed or left out when it was received; at most ${LIMITS.listedChanges.value} are listed. Absent: none.`,
  ignoredMemberSchema
).optional();

/** The response to a send. */
export const sentNotificationSchema = notificationSchema
  .extend({
    ignored,
    notes: list(
      'Changes made because of a limit of the inbox, or because a name belongs to another sender. Absent: none.',
      z.string()
    ).optional(),
  })
  .meta({ id: 'SentNotification', description: 'A notification as stored, and what was changed.' });

const sourceAlertSchema = object('The alert of Grafana or Alertmanager. Absent: of another sender.', {
  labels: z.record(z.string(), z.string()).describe('Labels of the alert.'),
  startsAt: time('When it started to fire, as sent.').optional(),
  values: z
    .record(z.string(), z.number())
    .optional()
    .describe('Values of queries and expressions of the rule in Grafana, by `refId`.'),
  ruleUid: string('UID of the rule in Grafana.').optional(),
  ruleUrl: string('Page of the rule; of Alertmanager, the expression in Prometheus.').optional(),
  runbookUrl: string('Annotation `runbook_url`.').optional(),
  dashboardUrl: string('Dashboard that the rule belongs to.').optional(),
  panelUrl: string('Panel that the rule belongs to.').optional(),
  imageUrl: string('URL of an image of the panel.').optional(),
  silenceUrl: string('URL of the page in Grafana that creates a silence for it.').optional(),
  alertmanagerUrl: string('URL of its Alertmanager, as sent.').optional(),
});
export type SourceAlert = z.infer<typeof sourceAlertSchema>;

/** One notification with the members of its thread, newest first. */
export const notificationDetailSchema = notificationSchema
  .extend({
    ignored,
    deliveries: list(
      `Its deliveries over channels, of the last ${LIMITS.deliveryDays.value} days. Absent: none.`,
      deliverySchema
    ).optional(),
    alert: sourceAlertSchema.optional(),
    seenAt: time(
      'When somebody first saw it in the inbox, if it has `deliveries`. Absent: nobody has, or no delivery.'
    ).optional(),
    timeline: list(
      'Timeline of the thread: responses and comments of people, oldest first. Absent: none.',
      activitySchema
    ).optional(),
    members: list(
      `Members of the thread, newest first: at most ${LIMITS.threadMembers.value}, and at most ${LIMITS.listBytes.value / 2 ** 20} MiB. \`thread.count\` says how many there are.`,
      notificationSchema
    ),
  })
  .meta({ id: 'NotificationDetail', description: 'A notification with the members of its thread.' });
export type NotificationDetail = z.infer<typeof notificationDetailSchema>;

/** Whether the requesting user has read it: by their own state, or by the shared one where they have none. */
export const isRead = ({ read, seen }: Pick<Notification, 'read' | 'seen'>): boolean => read ?? seen;

/** Members of a thread that the requesting user has not read. */
export const unreadOf = ({ unread, unseen }: Pick<Thread, 'unread' | 'unseen'>): number => unread ?? unseen;
