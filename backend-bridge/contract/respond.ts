/** Responses of people to a thread: acknowledge, comment, snooze, assign. */
import { z } from 'zod';
import { boolean, component, integer, list, nullable, oneOf, strictComponent, string, time } from './schema.ts';
import { idSchema } from './id.ts';
import { LIMITS } from './limits.ts';
import { fitsBytes, grouped, isObject, isStorable, STORABLE_TEXT } from './text.ts';

const person = string('Name; empty: a script with the admin token.');

export const acknowledgedSchema = z.object({
  by: person,
  at: time('When.'),
  comment: string('The comment. Absent: none.').optional(),
});

export const assigneeSchema = component('Assignee', 'A person to whom a thread can be assigned.', {
  key: string('Stable id of a user of Grafana: `org:1/user:<uid>`.'),
  name: string('Login, as in the timeline.'),
});
export type Assignee = z.infer<typeof assigneeSchema>;

export const SNOOZE_FOR = ['me', 'all'] as const;

export const snoozedSchema = z.object({
  until: time('When the thread comes back.'),
  for: oneOf('Hidden for you only, or for everyone.', SNOOZE_FOR),
  by: person,
});

export const SUPPRESSORS = ['silence', 'maintenance', 'inhibition'] as const;
export type Suppressor = (typeof SUPPRESSORS)[number];

export const suppressedSchema = z.object({
  by: oneOf('Why it is not sent.', SUPPRESSORS),
  id: string('Id of the silence or window; of an inhibition, of the notification that inhibits it.'),
  reason: string('Comment of the silence, name of the window, or title of the notification that inhibits it.'),
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

export const activitySchema = component('Activity', 'An entry in the timeline of a thread.', {
  id: integer('Id of a comment, for PUT and DELETE /comments/{id}.'),
  at: time('When.'),
  kind: oneOf(
    'A comment, or what was done. `ended`, `woken`, `suppressed` and `released` are of the bridge.',
    ACTIVITY_KINDS
  ),
  by: person,
  text: string(
    'The comment; of `assigned`, the name of the assignee; of `snoozed` and `silenced`, until when (ISO 8601, UTC); of `silenced`, why in the next lines; of `suppressed`, the reason.'
  ).optional(),
  editedAt: time('When the comment was last edited.').optional(),
  own: boolean('You wrote this comment, so you may edit it.').optional(),
});
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

export const acknowledgeBodySchema = strictComponent('AcknowledgeRequest', 'An acknowledgement.', { comment });

/**
 * A filter in a body. Kept as it was sent: a record would drop the member `__proto__`, and a filter without members selects everything.
 */
export const listFilter = z
  .custom<Record<string, unknown>>(isObject, 'an object')
  .meta({ type: 'object', additionalProperties: {}, description: 'Query parameters of the list, as JSON.' });

/** Ids, or a filter (an object of the query parameters). */
const these = {
  ids: list('At most 1000 ids.', idSchema).min(1).max(LIMITS.listRows.value).optional(),
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
    acknowledged: boolean('False: remove their acknowledgements.', { default: true }).optional(),
  })
  .refine(isEither, EITHER)
  .meta({ id: 'AcknowledgeManyRequest', description: 'Threads to acknowledge.' });

export const respondedSchema = component('Responded', 'The number of changed threads.', {
  changed: integer('Number of changed threads.'),
  ids: nullable(
    'The newest notification of each changed thread, for an undo; null: too many to list.',
    z.array(z.int())
  ),
});
export type Responded = z.infer<typeof respondedSchema>;

export const commentBodySchema = strictComponent('CommentRequest', 'A comment.', {
  text: text
    .refine((one) => one.trim() !== '', { error: 'text with at least one visible character' })
    .describe('Plain text; links are shown as links.')
    .meta({ examples: ['Looking into it.'], minLength: 1 }),
});

const snoozing = {
  until: z.iso
    .datetime({ offset: true })
    .nullable()
    .describe(`A date-time with a zone, in at most ${LIMITS.snoozeDays.value} days; null ends the snooze.`)
    .meta({ examples: ['2026-11-23T08:00:00+01:00'] }),
  for: oneOf(
    'Default: `me`; without a read state of your own, `all`. `all` requires the role Editor.',
    SNOOZE_FOR
  ).optional(),
};

export const snoozeBodySchema = strictComponent('SnoozeRequest', 'How long to hide a thread.', snoozing);
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
  assignee: nullable('`key` of a person; null: nobody.', z.string()),
  ids: list('The newest notification of each thread.', z.int()),
});
export type Assignment = z.infer<typeof assignmentSchema>;

export const assignedSchema = respondedSchema
  .extend({
    before: nullable(
      'To whom the changed threads were assigned before, for an undo; null: too many to list.',
      z.array(assignmentSchema)
    ),
  })
  .meta({ id: 'Assigned', description: 'The number of changed threads, and to whom they were assigned before.' });
export type AssignedThreads = z.infer<typeof assignedSchema>;

export const assignBodySchema = strictComponent('AssignRequest', 'To whom to assign a thread.', {
  assignee: assignee.describe('`key` of GET /people, or `me`.'),
});

export const peopleSchema = z.object({
  people: list(`Sorted by name; at most ${LIMITS.people.value}: the latest visitors.`, assigneeSchema),
  me: string('Your own `key`. Absent: you are not a user of Grafana.').optional(),
});
export type People = z.infer<typeof peopleSchema>;
