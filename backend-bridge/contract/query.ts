/** Queries of the inbox: filters, pages, counts. */
import { z } from 'zod';
import {
  boolean,
  component,
  integer,
  list,
  nullable,
  objects,
  oneOf,
  strictComponent,
  string,
  time,
} from './schema.ts';
import { idSchema } from './id.ts';
import { LIMITS } from './limits.ts';
import { NO_NODE, PRIORITIES, STATUSES } from './notification.ts';
import { listFilter } from './respond.ts';
import { grouped } from './text.ts';

const many = <T extends z.ZodType>(item: T) => z.array(item).optional();
/** A boolean parameter. */
export const flag = z.enum(['true', 'false']).transform((word) => word === 'true');

const moment = z
  .string()
  .meta({ examples: ['2026-11-21T10:00:00Z', '1795255200'] })
  .transform((text, context) => {
    const ms = readMoment(text);
    if (ms === undefined) {
      context.issues.push({
        code: 'custom',
        message: 'an ISO 8601 date-time such as 2026-11-21T10:00:00Z, or unix seconds',
        input: text,
      });
      return z.NEVER;
    }
    return ms;
  });

/**
 * Reads a moment: ISO 8601 with or without a time (UTC when no zone is given), or unix seconds.
 * @returns UTC milliseconds, or undefined if invalid
 */
export function readMoment(text: string): number | undefined {
  if (/^\d{1,11}(\.\d{1,9})?$/.test(text)) {
    return Math.round(Number(text) * 1000);
  }
  const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  if (!iso) {
    return undefined;
  }
  const ms = Date.parse(iso[1] !== undefined && iso[4] === undefined ? `${text}Z` : text);
  // Date.parse takes 30 February for 2 March; an invalid date must be rejected.
  return Number.isNaN(ms) ||
    Number(text.slice(8, 10)) > new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
    ? undefined
    : ms;
}

export const filterShape = {
  category: many(z.string().toLowerCase()).describe('Only these categories, in any case. Repeatable.'),
  dnpName: many(z.string()).describe('Only these packages. Repeatable.'),
  node: many(z.string().transform((node) => (node === NO_NODE ? '' : node))).describe(
    `Only these nodes; \`${NO_NODE}\`: notifications without a node. Repeatable.`
  ),
  priority: many(z.enum(PRIORITIES)).describe('Only these priorities. Repeatable.'),
  status: many(z.enum(STATUSES)).describe('Only these statuses. Repeatable.'),
  correlationId: many(z.string()).describe('Only these threads. Repeatable.'),
  from: moment.optional().describe('Received at or after this moment: ISO 8601 or unix seconds.'),
  to: moment.optional().describe('Received before this moment: ISO 8601 or unix seconds.'),
  seen: flag
    .optional()
    .describe('Only seen, or only unseen. With `latest`: threads without, or with, an unseen member.'),
  read: flag
    .optional()
    .describe(
      'The same by your own read state: only read, or only unread. Without a read state of your own it means `seen`.'
    ),
  isBanner: flag.optional().describe('Only banners and their resolves (muted or not); or only the others.'),
  muted: oneOf('Default false: without muted notifications.', ['true', 'false', 'all'], {
    default: 'false',
  }).optional(),
  errors: oneOf(
    'Notifications with `errors`: left out (default), alone, or among the others.',
    ['hidden', 'only', 'all'],
    { default: 'hidden' }
  ).optional(),
  latest: flag.optional().describe('Only the newest shown member of each thread: one row per thread.'),
  open: flag.optional().describe('Only threads that are open (and not stale), or only the others. Implies `latest`.'),
  burst: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Only threads of this burst: `thread.burst.id` of its row. 0: only threads that are in none.'),
  acknowledged: flag.optional().describe('Only threads that are acknowledged, or only the others.'),
  assignee: string('Only threads assigned to this person (`key` of GET /people); `me`: to you; `none`: to nobody.')
    .max(300)
    .optional(),
  snoozed: oneOf(
    'Only threads that are snoozed, for you or for all; only the others (default with `latest` or `open`, unless `q` is given); or all.',
    ['true', 'false', 'all']
  ).optional(),
  untilId: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Only ids up to this one, which excludes notifications received since a list was shown.'),
  matchers: string("Only labels that match, in Alertmanager's syntax. A label that is absent is an empty text.", {
    examples: ['severity="critical", instance=~"node.*"'],
  })
    .max(LIMITS.matchersCharacters.value)
    .optional(),
  q: string('Full-text search in title, body, package and labels. All words must match, the last one also as a prefix.')
    .max(LIMITS.searchCharacters.value)
    .optional(),
};

/** The filter, as query parameters; `timestamp` is the real system's name for `from`. */
export const filterSchema = strictComponent('NotificationFilter', 'A filter of notifications.', filterShape);
export type NotificationFilter = z.output<typeof filterSchema>;

export const facetsQuerySchema = z.strictObject({
  ...filterShape,
  groupBy: string(
    'Name of a label: `groups` has the counts of its values. The rows of a group: `matchers` with its value.'
  )
    .min(1)
    .max(LIMITS.labelNameBytes.value)
    .optional(),
});

export type FacetsFilter = z.output<typeof facetsQuerySchema>;

/** Query of POST /notifications. */
export const sendQuerySchema = z.object({
  strict: flag
    .optional()
    .describe('Reject a notification with any wrong member (400), instead of storing it and listing them in `ignored`.')
    .meta({ default: false }),
});

export const MAX_LIMIT = LIMITS.listRows.value;
export const DEFAULT_LIMIT = 100;

export const unseenSchema = component('Unseen', 'Number of unseen notifications.', {
  unseenCount: integer(
    'Unseen notifications, without muted ones and those with errors. For a person with a read state of their own: unread by this person.'
  ),
  byCategory: z
    .record(z.string(), z.int())
    .describe(`Counts by category: those with the most, at most ${LIMITS.facetItems.value}.`),
  moreCategories: more('categories'),
});
export type Unseen = z.infer<typeof unseenSchema>;

/** @param what in the plural */
function more(what: string) {
  return integer(`How many more ${what} there are; absent when all are listed.`).optional();
}

const UNSEEN =
  'How many of them are unseen. For a person with a read state of their own: that this person has not read.';

const counted = {
  count: integer('Number of matches.'),
  unseen: integer(UNSEEN),
};

const countedGroup = {
  ...counted,
  open: integer('Open threads.'),
  openPriority: nullable('The highest priority among the open threads.', z.enum(PRIORITIES)),
};

/** Categories and packages under a filter. Counts of categories ignore the category filter, counts of packages the package filter. */
export const facetsSchema = component('Facets', 'Categories and packages present, with counts.', {
  total: integer('Number of matches of the whole filter.'),
  unseen: integer(UNSEEN),
  open: integer('Matching open threads, without stale ones.'),
  exact: boolean('False if so many match that only the newest were counted, or if not all values of `groupBy` were.'),
  moreUnread: boolean(
    `True when a person has ${grouped(LIMITS.keptUnread.value)} unread or more: beyond that, older ones may count as read.`
  ).optional(),
  lastId: integer('The highest id so far: for `untilId`.'),
  categories: objects(
    `Categories: open ones first by priority, then with unseen, then the newest. At most ${LIMITS.facetItems.value}; those that the filter names are always among them.`,
    {
      category: string('The category.'),
      ...countedGroup,
      lastAt: nullable('Time of the newest notification.', z.iso.datetime()),
      enabled: boolean('The switch: false while the category is muted.'),
    }
  ),
  moreCategories: more('categories'),
  groups: objects(
    `With \`groupBy\`, the values of the label: open ones first by priority, then with unseen, then by name. At most ${LIMITS.facetItems.value}.`,
    { value: string('The value; empty: without this label.'), ...countedGroup }
  ).optional(),
  moreGroups: more('values'),
  packages: objects(
    `Packages, by name: those with unseen and those with the most. At most ${LIMITS.facetItems.value}; those that the filter names are always among them.`,
    { dnpName: string('The package.'), ...counted }
  ),
  morePackages: more('packages'),
  nodes: objects(`All nodes, by name, whatever the filter; at most ${LIMITS.nodes.value}. Absent: there are none.`, {
    node: string(`The node; \`${NO_NODE}\`: notifications without one.`),
    open: integer('Open threads that match, without stale ones.'),
  }).optional(),
});
export type Facets = z.infer<typeof facetsSchema>;

export const patchSchema = strictComponent('NotificationPatch', 'Changes of a notification.', {
  seen: boolean(
    'Mark as seen or unseen. From a person with a read state of their own, true also means read by that person, and false is only about that person.'
  ),
});

const ids = list('At most 1000 ids.', idSchema).min(1).max(MAX_LIMIT);
const wholeThreads = boolean('Include the other members of their threads.', { default: false }).optional();

/** Body of PUT /notifications/seen; without ids, all that match the query's filter are marked. */
export const seenBodySchema = strictComponent('SeenRequest', 'Notifications to mark as seen or unseen.', {
  ids: ids.optional(),
  wholeThreads,
  seen: boolean('True: mark as seen; false: as unseen.', { default: true }).optional(),
});

const IDS_OR_FILTER = { error: 'an object with either "ids" or "filter"' };

/** Body of POST /notifications/delete: ids, or a filter (an object of the query parameters). */
export const deleteBodySchema = z
  .union([z.strictObject({ ids, wholeThreads }), z.strictObject({ filter: listFilter })], IDS_OR_FILTER)
  .meta({ id: 'DeleteRequest', description: 'Notifications to delete.' });

/** Body of POST /notifications/resolve: ids, or a filter (an object of the query parameters). */
export const resolveBodySchema = z
  .union([z.strictObject({ ids }), z.strictObject({ filter: listFilter })], IDS_OR_FILTER)
  .meta({ id: 'ResolveRequest', description: 'Notifications whose threads to resolve.' });

/** For how long a deletion can be undone. Milliseconds. */
export const UNDO_MS = LIMITS.undoTime.value;

export const deletedSchema = component('Deleted', 'A deletion that can be undone.', {
  deleted: integer('Number of deleted notifications.'),
  undo: string('The value for POST /notifications/restore.'),
  undoUntil: time('Time until which it can be undone.'),
});
export type Deleted = z.infer<typeof deletedSchema>;

export const resolvedSchema = component('Resolved', 'Resolved threads; it can be undone.', {
  resolved: integer('Number of resolved threads.'),
  undo: string('The value for POST /notifications/restore.'),
  undoUntil: time('Time until which it can be undone.'),
});
export type Resolved = z.infer<typeof resolvedSchema>;

export const restoreBodySchema = strictComponent('RestoreRequest', 'Undo a deletion, or resolving.', {
  undo: string('From the deletion, or from resolving.').min(1).max(100),
});
export const changedSchema = component('Changed', 'Number of changed notifications.', {
  changed: integer('Number of changed notifications.'),
});
export type Changed = z.infer<typeof changedSchema>;
export const restoredSchema = component('Restored', 'Number of restored notifications.', {
  restored: integer('Number of restored notifications, or of threads that are open again.'),
});

export const categorySchema = component('Category', 'A category and its switch.', {
  category: string('The category.'),
  enabled: boolean('False: new notifications are stored and marked muted, but not shown.'),
  count: integer('Stored notifications, without those with errors.'),
  unseen: integer('Unseen and not muted; for a user with a read state of their own: unread by this user.'),
  file: string('The provisioning file that sets the switch; it can be changed only there.').optional(),
});
export type Category = z.infer<typeof categorySchema>;
export const categoryBodySchema = strictComponent('CategoryRequest', 'The switch of a category.', {
  enabled: boolean('On or off.'),
});

/** The response to a webhook. */
export const webhookAnswerSchema = component('WebhookAnswer', 'The result of a webhook.', {
  accepted: integer('Number of stored notifications.'),
  duplicates: integer('Alerts that were received before; nothing was changed.'),
  truncated: integer('Alerts that the monitor left out of the body.'),
  notes: list('Parts of an invalid body that could not be read.', z.string()).optional(),
});
export type WebhookAnswer = z.infer<typeof webhookAnswerSchema>;
