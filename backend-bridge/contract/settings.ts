/** All settings as one document: to back up, compare and import into another bridge; and the history of changes. */
import { z } from 'zod';
import { problemErrorSchema } from './problem.ts';
import { endpointSettingsSchema, packageSettingsSchema } from './endpoint.ts';

/** As that of a package, with what else another bridge has to know. */
const exchangedSettingsSchema = z
  .strictObject({
    ...packageSettingsSchema.shape,
    endpoints: z
      .record(
        z.string(),
        z.strictObject({
          ...endpointSettingsSchema.shape,
          of: z
            .string()
            .optional()
            .describe(
              'The condition without the number. If the first condition of the endpoint is another one, the number is stored but not in use. Absent: any first condition.'
            )
            .meta({ examples: ['[BODY].cpu <=', '[RESPONSE_TIME] <= ms'] }),
        })
      )
      .optional()
      .describe('By correlationId.'),
  })
  .meta({ id: 'ExchangedSettings', description: 'What is set for a package; what is left out stays as it is.' });
export type ExchangedSettings = z.infer<typeof exchangedSettingsSchema>;

export const settingsDocumentSchema = z
  .strictObject({
    apiVersion: z.literal(1).describe('The version of this format.'),
    categories: z
      .record(z.string(), z.boolean())
      .optional()
      .describe('Categories by name, switched on (true) or off (false).')
      .meta({ examples: [{ hardware: false }] }),
    packages: z
      .record(z.string(), exchangedSettingsSchema)
      .optional()
      .describe('Packages by name, also those that are not registered.'),
  })
  .meta({
    id: 'Settings',
    description: 'What admins have set. What packages ship, and what a file provisions, is not among it.',
  });
export type SettingsDocument = z.infer<typeof settingsDocumentSchema>;

export const importBodySchema = z
  .strictObject({
    settings: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .describe('The document, or its text (YAML or JSON), so that mistakes have lines.'),
    dryRun: z.boolean().optional().describe('Only say what would change.').meta({ default: false }),
  })
  .meta({ id: 'SettingsRequest', description: 'Settings to import.' });

export const importedSchema = z
  .object({
    changed: z.int().describe('How many values were changed, or would be.'),
    notes: z.array(z.string()).describe('What is set but not in use now, and what was left as it is: sentences.'),
    rejected: z.array(problemErrorSchema).describe('Values out of range, which were left out.'),
  })
  .meta({
    id: 'SettingsImported',
    description: 'What became of settings that were taken in. What they do not name stays.',
  });
export type Imported = z.infer<typeof importedSchema>;

const value = z
  .union([z.number(), z.boolean()])
  .nullable()
  .describe('A number for a threshold, a boolean for a switch; null: nothing was set.');

export const settingChangeSchema = z
  .object({
    id: z.int().describe('Grows with time.'),
    at: z.iso.datetime().describe('When.'),
    by: z.string().optional().describe('Who, where that is known.'),
    file: z.string().optional().describe('The provisioning file, when it was one.'),
    category: z.string().optional().describe('The category, when it was the switch of one.'),
    dnpName: z.string().optional().describe('The package.'),
    correlationId: z.string().optional().describe('The endpoint; absent for the switch of the whole package.'),
    member: z.enum(['enabled', 'threshold']).describe('What was set.'),
    from: value,
    to: value,
  })
  .meta({ id: 'SettingChange', description: 'One thing that was set.' });
export type SettingChange = z.infer<typeof settingChangeSchema>;

export const settingHistoryQuerySchema = z.strictObject({
  dnpName: z.array(z.string()).optional().describe('Only of these packages. Repeatable.'),
  before: z.coerce.number().int().min(1).optional().describe('Only what is older than the change with this id.'),
  limit: z.coerce.number().int().min(1).max(1000).optional().describe('At most so many.').meta({ default: 100 }),
});
