/** All settings as one document: to back up, compare and import into another bridge; and the history of changes. */
import { z } from 'zod';
import {
  boolean,
  component,
  countQuery,
  integer,
  list,
  nullable,
  oneOf,
  strictComponent,
  string,
  time,
} from './schema.ts';
import { idQuerySchema } from './id.ts';
import { problemErrorSchema } from './problem.ts';
import { endpointSettingsSchema, packageSettingsSchema } from './endpoint.ts';

/** The settings of a package, with the conditions that the thresholds belong to. */
const exchangedSettingsSchema = strictComponent(
  'ExchangedSettings',
  'Settings of a package. Absent members do not change.',
  {
    ...packageSettingsSchema.shape,
    endpoints: z
      .record(
        z.string(),
        z.strictObject({
          ...endpointSettingsSchema.shape,
          of: string(
            'The condition without the number. If the first condition of the endpoint is another one, the number is stored but not in use. Absent: any first condition.',
            { examples: ['[BODY].cpu <=', '[RESPONSE_TIME] <= ms'] }
          ).optional(),
        })
      )
      .optional()
      .describe('Endpoints by correlationId.'),
  }
);
export type ExchangedSettings = z.infer<typeof exchangedSettingsSchema>;

export const settingsDocumentSchema = strictComponent(
  'Settings',
  'Settings that admins have configured, without defaults of packages and provisioned settings.',
  {
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
  }
);
export type SettingsDocument = z.infer<typeof settingsDocumentSchema>;

export const importBodySchema = strictComponent('SettingsRequest', 'Settings to import.', {
  settings: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .describe('The document, or its text (YAML or JSON); errors in a text have line numbers.'),
  dryRun: boolean('Only report what would change.', { default: false }).optional(),
});

export const importedSchema = component(
  'SettingsImported',
  'The result of an import. Settings that the document does not name do not change.',
  {
    changed: integer('Number of values that were changed, or would be.'),
    notes: list('Settings that are stored but not in use, and settings that were not changed: sentences.', z.string()),
    rejected: list('Values out of range, which were left out.', problemErrorSchema),
  }
);
export type Imported = z.infer<typeof importedSchema>;

const value = nullable(
  'A number for a threshold, a boolean for a switch; null: no setting.',
  z.union([z.number(), z.boolean()])
);

export const settingChangeSchema = component('SettingChange', 'A change of a setting.', {
  id: integer('Increases with time.'),
  at: time('Time of the change.'),
  by: string('The user, if known.').optional(),
  file: string('The provisioning file, if one made the change.').optional(),
  category: string('The category, if its switch was changed.').optional(),
  dnpName: string('The package.').optional(),
  correlationId: string('The endpoint; absent for the switch of the whole package.').optional(),
  member: oneOf('The changed setting.', ['enabled', 'threshold']),
  from: value,
  to: value,
});
export type SettingChange = z.infer<typeof settingChangeSchema>;

export const settingHistoryQuerySchema = z.strictObject({
  dnpName: list('Only changes of these packages. Repeatable.', z.string()).optional(),
  before: idQuerySchema.optional().describe('Only changes older than the one with this id.'),
  limit: countQuery('Maximum number of changes.', 1000, 100),
});
