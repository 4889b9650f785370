/** Many notifications in one request: of any sender, or of a channel of type `nodebell` (docs/channels.md). */
import { z } from 'zod';
import { component, integer, list, objects, oneOf, string } from './schema.ts';
import { LIMITS } from './limits.ts';
import { payloadSchema, sentNotificationSchema } from './notification.ts';
import { problemSchema } from './problem.ts';
import { bridgeIdSchema, viaSchema } from './via.ts';

/** Media type of JSON lines: one JSON value in each line. */
export const NDJSON = 'application/x-ndjson';

const keySchema = string('As the header `Idempotency-Key` of a single notification.').regex(/^[\x21-\x7e]{1,200}$/, {
  error: '1 to 200 visible ASCII characters',
});

/** The members of a notification that are not part of its payload. */
export const batchMembersSchema = z.object({ idempotencyKey: keySchema.optional(), via: viaSchema.optional() });

const many = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(LIMITS.batchRows.value);

const linkedBodySchema = z.strictObject({
  notifications: many(payloadSchema.extend({ idempotencyKey: keySchema, via: viaSchema.optional() })).describe(
    `Of another bridge, in the order in which they are stored; at most ${LIMITS.batchRows.value}.`
  ),
});

export const batchBodySchema = z
  .union([
    list(
      `In the order in which they are stored; at most ${LIMITS.batchItems.value}.`,
      payloadSchema.extend(batchMembersSchema.shape)
    )
      .min(1)
      .max(LIMITS.batchItems.value),
    linkedBodySchema,
  ])
  .meta({ id: 'NotificationBatch', description: 'Notifications of a sender, or of another bridge.' });

/** A body of another bridge: the members that are read one by one, so that one that is wrong does not reject the others. */
export const looseBatchSchema = z.strictObject({
  notifications: many(z.looseObject({ idempotencyKey: keySchema, via: viaSchema.optional() })),
});

const index = integer('Its place in the request, from 0.');
export const batchAnswerSchema = component('BatchAnswer', 'The result of a batch of another bridge.', {
  accepted: integer('Number of stored notifications.'),
  duplicates: integer('Number of those that were stored before, under the same key.'),
  bridge: bridgeIdSchema.describe('The id of this bridge, which `via` of what is returned contains.'),
  returned: list('Those that have been at this bridge before: not stored.', index),
  rejected: objects('Notifications that cannot be stored; a retry has the same result.', {
    index,
    reason: string('A sentence.'),
  }),
});
export type BatchAnswer = z.infer<typeof batchAnswerSchema>;

export const batchResultSchema = component('BatchResult', 'The result of a notification of a batch.', {
  index: integer('Its place among the notifications of the request, from 0.'),
  line: integer('Its line in the request, from 1; only of JSON lines.').optional(),
  outcome: oneOf('`duplicate`: it was stored before, under the same key. `failed`: it is not stored.', [
    'stored',
    'duplicate',
    'failed',
  ]),
  id: integer('The id of the stored notification; absent if it failed.').optional(),
  ...sentNotificationSchema.pick({ ignored: true, notes: true }).shape,
  problem: problemSchema.optional().describe('Why it failed, as for a single notification.'),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

export const batchResultsSchema = component('BatchResults', 'The results of a batch.', {
  stored: integer('Number of stored notifications.'),
  duplicates: integer('Number of those that were stored before, under the same key.'),
  failed: integer('Number of those that are not stored.'),
  results: list('One for each notification, in their order.', batchResultSchema),
});
export type BatchResults = z.infer<typeof batchResultsSchema>;

/** A list or JSON lines have results, a batch of another bridge has an answer. */
export const batchReplySchema = z.union([batchResultsSchema, batchAnswerSchema]);
