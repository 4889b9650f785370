/** Many notifications in one request: of any sender, or of a channel of type `nodebell` (docs/channels.md). */
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { payloadSchema, sentNotificationSchema } from './notification.ts';
import { problemSchema } from './problem.ts';
import { bridgeIdSchema, viaSchema } from './via.ts';

/** Media type of JSON lines: one JSON value in each line. */
export const NDJSON = 'application/x-ndjson';

const keySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, { error: '1 to 200 visible ASCII characters' })
  .describe('As the header `Idempotency-Key` of a single notification.');

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
    z
      .array(payloadSchema.extend(batchMembersSchema.shape))
      .min(1)
      .max(LIMITS.batchItems.value)
      .describe(`In the order in which they are stored; at most ${LIMITS.batchItems.value}.`),
    linkedBodySchema,
  ])
  .meta({ id: 'NotificationBatch', description: 'Notifications of a sender, or of another bridge.' });

/** A body of another bridge: the members that are read one by one, so that one that is wrong does not reject the others. */
export const looseBatchSchema = z.strictObject({
  notifications: many(z.looseObject({ idempotencyKey: keySchema, via: viaSchema.optional() })),
});

const index = z.int().describe('Its place in the request, from 0.');
export const batchAnswerSchema = z
  .object({
    accepted: z.int().describe('Number of stored notifications.'),
    duplicates: z.int().describe('Number of those that were stored before, under the same key.'),
    bridge: bridgeIdSchema.describe('The id of this bridge, which `via` of what is returned contains.'),
    returned: z.array(index).describe('Those that have been at this bridge before: not stored.'),
    rejected: z
      .array(z.object({ index, reason: z.string().describe('A sentence.') }))
      .describe('Notifications that cannot be stored; a retry has the same result.'),
  })
  .meta({ id: 'BatchAnswer', description: 'The result of a batch of another bridge.' });
export type BatchAnswer = z.infer<typeof batchAnswerSchema>;

export const batchResultSchema = z
  .object({
    index: z.int().describe('Its place among the notifications of the request, from 0.'),
    line: z.int().optional().describe('Its line in the request, from 1; only of JSON lines.'),
    outcome: z
      .enum(['stored', 'duplicate', 'failed'])
      .describe('`duplicate`: it was stored before, under the same key. `failed`: it is not stored.'),
    id: z.int().optional().describe('The id of the stored notification; absent if it failed.'),
    ...sentNotificationSchema.pick({ ignored: true, notes: true }).shape,
    problem: problemSchema.optional().describe('Why it failed, as for a single notification.'),
  })
  .meta({ id: 'BatchResult', description: 'The result of a notification of a batch.' });
export type BatchResult = z.infer<typeof batchResultSchema>;

export const batchResultsSchema = z
  .object({
    stored: z.int().describe('Number of stored notifications.'),
    duplicates: z.int().describe('Number of those that were stored before, under the same key.'),
    failed: z.int().describe('Number of those that are not stored.'),
    results: z.array(batchResultSchema).describe('One for each notification, in their order.'),
  })
  .meta({ id: 'BatchResults', description: 'The results of a batch.' });
export type BatchResults = z.infer<typeof batchResultsSchema>;

/** A list or JSON lines have results, a batch of another bridge has an answer. */
export const batchReplySchema = z.union([batchResultsSchema, batchAnswerSchema]);
