/** Mappings of other programs' webhooks: the member `mappings` of provisioning files. Semantics: docs/connect-senders.md. */
import { z } from 'zod';
import { strictComponent } from './schema.ts';
import { channelName } from './channelTypes/common.ts';
import { LIMITS } from './limits.ts';
import { payloadSchema } from './notification.ts';

/** Not trimmed: positions of errors count from its beginning. */
const expression = z
  .string()
  .max(LIMITS.mappingCharacters.value)
  .refine((text) => text.trim() !== '', { error: 'a JSONata expression' });

const descriptionOf = (schema: z.ZodType): string =>
  schema.description ?? (schema instanceof z.ZodOptional ? descriptionOf(schema.unwrap() as z.ZodType) : '');

/** Excludes members that only bridges send. */
const { sentAt: _sentAt, ...shape } = payloadSchema.shape;
const members = Object.fromEntries(
  Object.entries(shape).map(([name, schema]) => [name, expression.optional().describe(descriptionOf(schema))])
) as Record<keyof typeof shape, z.ZodOptional<typeof expression>>;

/** As it is stored. */
export const mappingSchema = strictComponent('Mapping', 'How the bodies of a program become notifications.', {
  name: channelName.describe('In its path: `/webhooks/mapped/{name}`.').meta({ examples: ['forge'] }),
  expression: expression.optional().describe('A JSONata expression: the notification, or a list of them.'),
  members: z
    .strictObject(members)
    .optional()
    .describe('In place of `expression`: one JSONata expression for each member of a notification.'),
});
export type Mapping = z.output<typeof mappingSchema>;

export const mappingEntrySchema = mappingSchema
  .extend({ sample: z.unknown().optional().describe('A body of the program, with which the file is validated.') })
  .refine(({ expression: whole, members: each }) => (whole === undefined) !== (each === undefined), {
    error: 'an object with one of "expression" and "members"',
    abort: true,
  })
  .describe('How the bodies of a program become notifications.');
export type MappingEntry = z.output<typeof mappingEntrySchema>;
