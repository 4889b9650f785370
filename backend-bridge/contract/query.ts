/** Queries of the inbox: filters, pages, counts. */
import { z } from 'zod';
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
  muted: z
    .enum(['true', 'false', 'all'])
    .optional()
    .describe('Default false: without muted notifications.')
    .meta({ default: 'false' }),
  errors: z
    .enum(['hidden', 'only', 'all'])
    .optional()
    .describe('Notifications with `errors`: left out (default), alone, or among the others.')
    .meta({ default: 'hidden' }),
  latest: flag.optional().describe('Only the newest shown member of each thread: one row per thread.'),
  open: flag.optional().describe('Only threads that are open (and not stale), or only the others. Implies `latest`.'),
  burst: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Only threads of this burst: `thread.burst.id` of its row. 0: only threads that are in none.'),
  acknowledged: flag.optional().describe('Only threads that are acknowledged, or only the others.'),
  assignee: z
    .string()
    .max(300)
    .optional()
    .describe('Only threads assigned to this person (`key` of GET /people); `me`: to you; `none`: to nobody.'),
  snoozed: z
    .enum(['true', 'false', 'all'])
    .optional()
    .describe(
      'Only threads that are snoozed, for you or for all; only the others (default with `latest` or `open`, unless `q` is given); or all.'
    ),
  untilId: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Only ids up to this one, which excludes notifications received since a list was shown.'),
  matchers: z
    .string()
    .max(LIMITS.matchersCharacters.value)
    .optional()
    .describe("Only labels that match, in Alertmanager's syntax. A label that is absent is an empty text.")
    .meta({ examples: ['severity="critical", instance=~"node.*"'] }),
  q: z
    .string()
    .max(LIMITS.searchCharacters.value)
    .optional()
    .describe(
      'Full-text search in title, body, package and labels. All words must match, the last one also as a prefix.'
    ),
};

/** The filter, as query parameters; `timestamp` is the real system's name for `from`. */
export const filterSchema = z
  .strictObject(filterShape)
  .meta({ id: 'NotificationFilter', description: 'A filter of notifications.' });
export type NotificationFilter = z.output<typeof filterSchema>;

export const facetsQuerySchema = z.strictObject({
  ...filterShape,
  groupBy: z
    .string()
    .min(1)
    .max(LIMITS.labelNameBytes.value)
    .optional()
    .describe(
      'Name of a label: `groups` has the counts of its values. The rows of a group: `matchers` with its value.'
    ),
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

export const unseenSchema = z
  .object({
    unseenCount: z
      .int()
      .describe(
        'Unseen notifications, without muted ones and those with errors. For a person with a read state of their own: unread by this person.'
      ),
    byCategory: z
      .record(z.string(), z.int())
      .describe(`Counts by category: those with the most, at most ${LIMITS.facetItems.value}.`),
    moreCategories: more('categories'),
  })
  .meta({ id: 'Unseen', description: 'Number of unseen notifications.' });
export type Unseen = z.infer<typeof unseenSchema>;

/** @param what in the plural */
function more(what: string) {
  return z.int().optional().describe(`How many more ${what} there are; absent when all are listed.`);
}

const UNSEEN =
  'How many of them are unseen. For a person with a read state of their own: that this person has not read.';

const counted = {
  count: z.int().describe('Number of matches.'),
  unseen: z.int().describe(UNSEEN),
};

const countedGroup = {
  ...counted,
  open: z.int().describe('Open threads.'),
  openPriority: z.enum(PRIORITIES).nullable().describe('The highest priority among the open threads.'),
};

/** Categories and packages under a filter. Counts of categories ignore the category filter, counts of packages the package filter. */
export const facetsSchema = z
  .object({
    total: z.int().describe('Number of matches of the whole filter.'),
    unseen: z.int().describe(UNSEEN),
    open: z.int().describe('Matching open threads, without stale ones.'),
    exact: z
      .boolean()
      .describe('False if so many match that only the newest were counted, or if not all values of `groupBy` were.'),
    moreUnread: z
      .boolean()
      .optional()
      .describe(
        `True when a person has ${grouped(LIMITS.keptUnread.value)} unread or more: beyond that, older ones may count as read.`
      ),
    lastId: z.int().describe('The highest id so far: for `untilId`.'),
    categories: z
      .array(
        z.object({
          category: z.string().describe('The category.'),
          ...countedGroup,
          lastAt: z.iso.datetime().nullable().describe('Time of the newest notification.'),
          enabled: z.boolean().describe('The switch: false while the category is muted.'),
        })
      )
      .describe(
        `Categories: open ones first by priority, then with unseen, then the newest. At most ${LIMITS.facetItems.value}; those that the filter names are always among them.`
      ),
    moreCategories: more('categories'),
    groups: z
      .array(z.object({ value: z.string().describe('The value; empty: without this label.'), ...countedGroup }))
      .optional()
      .describe(
        `With \`groupBy\`, the values of the label: open ones first by priority, then with unseen, then by name. At most ${LIMITS.facetItems.value}.`
      ),
    moreGroups: more('values'),
    packages: z
      .array(z.object({ dnpName: z.string().describe('The package.'), ...counted }))
      .describe(
        `Packages, by name: those with unseen and those with the most. At most ${LIMITS.facetItems.value}; those that the filter names are always among them.`
      ),
    morePackages: more('packages'),
    nodes: z
      .array(
        z.object({
          node: z.string().describe(`The node; \`${NO_NODE}\`: notifications without one.`),
          open: z.int().describe('Open threads that match, without stale ones.'),
        })
      )
      .optional()
      .describe(`All nodes, by name, whatever the filter; at most ${LIMITS.nodes.value}. Absent: there are none.`),
  })
  .meta({ id: 'Facets', description: 'Categories and packages present, with counts.' });
export type Facets = z.infer<typeof facetsSchema>;

export const patchSchema = z
  .strictObject({
    seen: z
      .boolean()
      .describe(
        'Mark as seen or unseen. From a person with a read state of their own, true also means read by that person, and false is only about that person.'
      ),
  })
  .meta({ id: 'NotificationPatch', description: 'Changes of a notification.' });

const ids = z.array(idSchema).min(1).max(MAX_LIMIT).describe('At most 1000 ids.');
const wholeThreads = z
  .boolean()
  .optional()
  .describe('Include the other members of their threads.')
  .meta({ default: false });

/** Body of PUT /notifications/seen; without ids, all that match the query's filter are marked. */
export const seenBodySchema = z
  .strictObject({
    ids: ids.optional(),
    wholeThreads,
    seen: z.boolean().optional().describe('True: mark as seen; false: as unseen.').meta({ default: true }),
  })
  .meta({ id: 'SeenRequest', description: 'Notifications to mark as seen or unseen.' });

/** Body of POST /notifications/delete: ids, or a filter (an object of the query parameters). */
export const deleteBodySchema = z
  .union([z.strictObject({ ids, wholeThreads }), z.strictObject({ filter: listFilter })])
  .meta({ id: 'DeleteRequest', description: 'Notifications to delete.' });

/** Body of POST /notifications/resolve: ids, or a filter (an object of the query parameters). */
export const resolveBodySchema = z
  .union([z.strictObject({ ids }), z.strictObject({ filter: listFilter })])
  .meta({ id: 'ResolveRequest', description: 'Notifications whose threads to resolve.' });

/** For how long a deletion can be undone. Milliseconds. */
export const UNDO_MS = LIMITS.undoTime.value;

export const deletedSchema = z
  .object({
    deleted: z.int().describe('Number of deleted notifications.'),
    undo: z.string().describe('The value for POST /notifications/restore.'),
    undoUntil: z.iso.datetime().describe('Time until which it can be undone.'),
  })
  .meta({ id: 'Deleted', description: 'A deletion that can be undone.' });
export type Deleted = z.infer<typeof deletedSchema>;

export const resolvedSchema = z
  .object({
    resolved: z.int().describe('Number of resolved threads.'),
    undo: z.string().describe('The value for POST /notifications/restore.'),
    undoUntil: z.iso.datetime().describe('Time until which it can be undone.'),
  })
  .meta({ id: 'Resolved', description: 'Resolved threads; it can be undone.' });
export type Resolved = z.infer<typeof resolvedSchema>;

export const restoreBodySchema = z
  .strictObject({ undo: z.string().min(1).max(100).describe('From the deletion, or from resolving.') })
  .meta({ id: 'RestoreRequest', description: 'Undo a deletion, or resolving.' });
export const changedSchema = z
  .object({ changed: z.int().describe('Number of changed notifications.') })
  .meta({ id: 'Changed', description: 'Number of changed notifications.' });
export type Changed = z.infer<typeof changedSchema>;
export const restoredSchema = z
  .object({ restored: z.int().describe('Number of restored notifications, or of threads that are open again.') })
  .meta({ id: 'Restored', description: 'Number of restored notifications.' });

export const categorySchema = z
  .object({
    category: z.string().describe('The category.'),
    enabled: z.boolean().describe('False: new notifications are stored and marked muted, but not shown.'),
    count: z.int().describe('Stored notifications, without those with errors.'),
    unseen: z.int().describe('Unseen and not muted; for a user with a read state of their own: unread by this user.'),
    file: z.string().optional().describe('The provisioning file that sets the switch; it can be changed only there.'),
  })
  .meta({ id: 'Category', description: 'A category and its switch.' });
export type Category = z.infer<typeof categorySchema>;
export const categoryBodySchema = z
  .strictObject({ enabled: z.boolean().describe('On or off.') })
  .meta({ id: 'CategoryRequest', description: 'The switch of a category.' });

/** The response to a webhook. */
export const webhookAnswerSchema = z
  .object({
    accepted: z.int().describe('Number of stored notifications.'),
    duplicates: z.int().describe('Alerts that were received before; nothing was changed.'),
    truncated: z.int().describe('Alerts that the monitor left out of the body.'),
    notes: z.array(z.string()).optional().describe('Parts of an invalid body that could not be read.'),
  })
  .meta({ id: 'WebhookAnswer', description: 'The result of a webhook.' });
export type WebhookAnswer = z.infer<typeof webhookAnswerSchema>;
