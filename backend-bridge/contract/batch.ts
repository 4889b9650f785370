/** Many notifications in one request: what a channel of type `nodebell` sends (docs/channels.md). */
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { payloadSchema } from './notification.ts';
import { bridgeIdSchema, viaSchema } from './via.ts';

const keySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, { error: '1 to 200 visible ASCII characters' })
  .describe('As the header `Idempotency-Key` of a single notification.');

const many = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(LIMITS.batchRows.value);

export const batchBodySchema = z
  .strictObject({
    notifications: many(payloadSchema.extend({ idempotencyKey: keySchema, via: viaSchema.optional() })).describe(
      `In the order in which they are stored; at most ${LIMITS.batchRows.value}.`
    ),
  })
  .meta({ id: 'NotificationBatch', description: 'Notifications of another bridge.' });

/** The members that are read one by one, so that one that is wrong does not reject the others. */
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
  .meta({ id: 'BatchAnswer', description: 'The result of a batch.' });
export type BatchAnswer = z.infer<typeof batchAnswerSchema>;
