/** Responses of people to a thread: acknowledge, comment, snooze, assign. */
import { z } from 'zod';
import { idSchema } from './id.ts';
import { LIMITS } from './limits.ts';
import { fitsBytes, grouped, isObject, isStorable, STORABLE_TEXT } from './text.ts';

const person = z.string().describe('Name; empty: a script with the admin token.');

export const acknowledgedSchema = z.object({
  by: person,
  at: z.iso.datetime().describe('When.'),
  comment: z.string().optional().describe('The comment. Absent: none.'),
});

export const assigneeSchema = z
  .object({
    key: z.string().describe('Stable id of a user of Grafana: `org:1/user:<uid>`.'),
    name: z.string().describe('Login, as in the timeline.'),
  })
  .meta({ id: 'Assignee', description: 'A person to whom a thread can be assigned.' });
export type Assignee = z.infer<typeof assigneeSchema>;

export const SNOOZE_FOR = ['me', 'all'] as const;

export const snoozedSchema = z.object({
  until: z.iso.datetime().describe('When the thread comes back.'),
  for: z.enum(SNOOZE_FOR).describe('Hidden for you only, or for everyone.'),
  by: person,
});

export const SUPPRESSORS = ['silence', 'maintenance', 'inhibition'] as const;
export type Suppressor = (typeof SUPPRESSORS)[number];

export const suppressedSchema = z.object({
  by: z.enum(SUPPRESSORS).describe('Why it is not sent.'),
  id: z.string().describe('Id of the silence or window; of an inhibition, of the notification that inhibits it.'),
  reason: z
    .string()
    .describe('Comment of the silence, name of the window, or title of the notification that inhibits it.'),
});
export type Suppressed = z.infer<typeof suppressedSchema>;

/** Kinds of entries in the timeline. `ended`: an alert ended the acknowledgement. `woken`: the snooze for all has ended. */
export const ACTIVITY_KINDS = [
  'comment',
  'acknowledged',
  'unacknowledged',
  'ended',
  'assigned',
  'unassigned',
  'snoozed',
  'unsnoozed',
  'woken',
  'silenced',
  'unsilenced',
  'suppressed',
  'released',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

export const activitySchema = z
  .object({
    id: z.int().describe('Id of a comment, for PUT and DELETE /comments/{id}.'),
    at: z.iso.datetime().describe('When.'),
    kind: z
      .enum(ACTIVITY_KINDS)
      .describe('A comment, or what was done. `ended`, `woken`, `suppressed` and `released` are of the bridge.'),
    by: person,
    text: z
      .string()
      .optional()
      .describe(
        'The comment; of `assigned`, the name of the assignee; of `snoozed` and `silenced`, until when (ISO 8601, UTC); of `silenced`, why in the next lines; of `suppressed`, the reason.'
      ),
    editedAt: z.iso.datetime().optional().describe('When the comment was last edited.'),
    own: z.boolean().optional().describe('You wrote this comment, so you may edit it.'),
  })
  .meta({ id: 'Activity', description: 'An entry in the timeline of a thread.' });
export type Activity = z.infer<typeof activitySchema>;

const TEXT = `at most ${grouped(LIMITS.commentBytes.value)} bytes of UTF-8`;
const text = z
  .string()
  .refine((one) => fitsBytes(one, LIMITS.commentBytes.value), { error: TEXT })
  .refine(isStorable, { error: STORABLE_TEXT });

const comment = text
  .optional()
  .describe('Why: plain text.')
  .meta({ examples: ['Ordered a new disk.'] });

export const acknowledgeBodySchema = z
  .strictObject({ comment })
  .meta({ id: 'AcknowledgeRequest', description: 'An acknowledgement.' });

/**
 * A filter in a body. Kept as it was sent: a record would drop the member `__proto__`, and a filter without members selects everything.
 */
export const listFilter = z
  .custom<Record<string, unknown>>(isObject, 'an object')
  .meta({ type: 'object', additionalProperties: {}, description: 'Query parameters of the list, as JSON.' });

/** Ids, or a filter (an object of the query parameters). */
const these = {
  ids: z.array(idSchema).min(1).max(LIMITS.listRows.value).optional().describe('At most 1000 ids.'),
  filter: listFilter.optional(),
};
const isEither = ({ ids, filter }: { ids?: unknown; filter?: unknown }): boolean =>
  (ids === undefined) !== (filter === undefined);
const EITHER = { error: 'either `ids` or `filter`', path: ['ids'] };

/** Body of POST /notifications/acknowledge. */
export const acknowledgeManySchema = z
  .strictObject({
    ...these,
    comment,
    acknowledged: z.boolean().optional().describe('False: remove their acknowledgements.').meta({ default: true }),
  })
  .refine(isEither, EITHER)
  .meta({ id: 'AcknowledgeManyRequest', description: 'Threads to acknowledge.' });

export const respondedSchema = z
  .object({
    changed: z.int().describe('Number of changed threads.'),
    ids: z
      .array(z.int())
      .nullable()
      .describe('The newest notification of each changed thread, for an undo; null: too many to list.'),
  })
  .meta({ id: 'Responded', description: 'The number of changed threads.' });
export type Responded = z.infer<typeof respondedSchema>;

export const commentBodySchema = z
  .strictObject({
    text: text
      .refine((one) => one.trim() !== '', { error: 'text with at least one visible character' })
      .describe('Plain text; links are shown as links.')
      .meta({ examples: ['Looking into it.'], minLength: 1 }),
  })
  .meta({ id: 'CommentRequest', description: 'A comment.' });

const snoozing = {
  until: z.iso
    .datetime({ offset: true })
    .nullable()
    .describe(`A date-time with a zone, in at most ${LIMITS.snoozeDays.value} days; null ends the snooze.`)
    .meta({ examples: ['2026-11-23T08:00:00+01:00'] }),
  for: z
    .enum(SNOOZE_FOR)
    .optional()
    .describe('Default: `me`; without a read state of your own, `all`. `all` requires the role Editor.'),
};

export const snoozeBodySchema = z
  .strictObject(snoozing)
  .meta({ id: 'SnoozeRequest', description: 'How long to hide a thread.' });
export type SnoozeBody = z.infer<typeof snoozeBodySchema>;

/** Body of PUT /notifications/snooze. */
export const snoozeManySchema = z
  .strictObject({ ...these, ...snoozing })
  .refine(isEither, EITHER)
  .meta({ id: 'SnoozeManyRequest', description: 'Threads to snooze, and how long to hide them.' });

const assignee = z.string().min(1).max(300);

/** Body of POST /notifications/assignee. */
export const assignManySchema = z
  .strictObject({ ...these, assignee: assignee.nullable().describe('`key` of GET /people, or `me`; null: nobody.') })
  .refine(isEither, EITHER)
  .meta({ id: 'AssignManyRequest', description: 'Threads to assign, and to whom.' });

const assignmentSchema = z.object({
  assignee: z.string().nullable().describe('`key` of a person; null: nobody.'),
  ids: z.array(z.int()).describe('The newest notification of each thread.'),
});
export type Assignment = z.infer<typeof assignmentSchema>;

export const assignedSchema = respondedSchema
  .extend({
    before: z
      .array(assignmentSchema)
      .nullable()
      .describe('To whom the changed threads were assigned before, for an undo; null: too many to list.'),
  })
  .meta({ id: 'Assigned', description: 'The number of changed threads, and to whom they were assigned before.' });
export type AssignedThreads = z.infer<typeof assignedSchema>;

export const assignBodySchema = z
  .strictObject({ assignee: assignee.describe('`key` of GET /people, or `me`.') })
  .meta({ id: 'AssignRequest', description: 'To whom to assign a thread.' });

export const peopleSchema = z.object({
  people: z.array(assigneeSchema).describe(`Sorted by name; at most ${LIMITS.people.value}: the latest visitors.`),
  me: z.string().optional().describe('Your own `key`. Absent: you are not a user of Grafana.'),
});
export type People = z.infer<typeof peopleSchema>;
