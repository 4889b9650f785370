/** All settings as one document: to back up, compare and import into another bridge; and the history of changes. */
import { z } from 'zod';
import { idQuerySchema } from './id.ts';
import { problemErrorSchema } from './problem.ts';
import { endpointSettingsSchema, packageSettingsSchema } from './endpoint.ts';

/** The settings of a package, with the conditions that the thresholds belong to. */
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
      .describe('Endpoints by correlationId.'),
  })
  .meta({ id: 'ExchangedSettings', description: 'Settings of a package. Absent members do not change.' });
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
    description: 'Settings that admins have configured, without defaults of packages and provisioned settings.',
  });
export type SettingsDocument = z.infer<typeof settingsDocumentSchema>;

export const importBodySchema = z
  .strictObject({
    settings: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .describe('The document, or its text (YAML or JSON); errors in a text have line numbers.'),
    dryRun: z.boolean().optional().describe('Only report what would change.').meta({ default: false }),
  })
  .meta({ id: 'SettingsRequest', description: 'Settings to import.' });

export const importedSchema = z
  .object({
    changed: z.int().describe('Number of values that were changed, or would be.'),
    notes: z
      .array(z.string())
      .describe('Settings that are stored but not in use, and settings that were not changed: sentences.'),
    rejected: z.array(problemErrorSchema).describe('Values out of range, which were left out.'),
  })
  .meta({
    id: 'SettingsImported',
    description: 'The result of an import. Settings that the document does not name do not change.',
  });
export type Imported = z.infer<typeof importedSchema>;

const value = z
  .union([z.number(), z.boolean()])
  .nullable()
  .describe('A number for a threshold, a boolean for a switch; null: no setting.');

export const settingChangeSchema = z
  .object({
    id: z.int().describe('Increases with time.'),
    at: z.iso.datetime().describe('Time of the change.'),
    by: z.string().optional().describe('The user, if known.'),
    file: z.string().optional().describe('The provisioning file, if one made the change.'),
    category: z.string().optional().describe('The category, if its switch was changed.'),
    dnpName: z.string().optional().describe('The package.'),
    correlationId: z.string().optional().describe('The endpoint; absent for the switch of the whole package.'),
    member: z.enum(['enabled', 'threshold']).describe('The changed setting.'),
    from: value,
    to: value,
  })
  .meta({ id: 'SettingChange', description: 'A change of a setting.' });
export type SettingChange = z.infer<typeof settingChangeSchema>;

export const settingHistoryQuerySchema = z.strictObject({
  dnpName: z.array(z.string()).optional().describe('Only changes of these packages. Repeatable.'),
  before: idQuerySchema.optional().describe('Only changes older than the one with this id.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('Maximum number of changes.')
    .meta({ default: 100 }),
});
