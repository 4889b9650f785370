/** The result of applying the provisioning files (docs/configure.md): GET /api/v1/provisioning. */
import { z } from 'zod';
import { component, list, nullable, oneOf, string } from './schema.ts';
import { findingSchema } from './finding.ts';
import { provisionedHeartbeatSchema } from './heartbeat.ts';
import { mappingSchema } from './mapping.ts';

/** A finding in a provisioning file or in a file that it names. */
export const provisioningFindingSchema = findingSchema
  .extend({
    file: string('The file, relative to the provisioning folder if it is in there.', {
      examples: ['packages.yaml', 'packages/geth/dappnode_package.json'],
    }),
  })
  .meta({ id: 'ProvisioningFinding', description: 'A finding in a provisioned file.' });
export type ProvisioningFinding = z.infer<typeof provisioningFindingSchema>;

/**
 * `applied`: the file is in effect; `failed`: it has errors or could not be applied, and its last applied version is still in
 * effect.
 */
export const PROVISIONED_STATES = ['applied', 'failed'] as const;

export const provisionedFileSchema = component('ProvisionedFile', 'The status of a provisioning file.', {
  file: string('Its name in the folder.', { examples: ['packages.yaml'] }),
  state: oneOf('Whether the file is in effect.', PROVISIONED_STATES),
  checkedAt: nullable('Time of the last read; null: not since the bridge started.', z.iso.datetime()),
  appliedAt: nullable(
    'Time at which the version in effect was applied; null: not since the bridge started.',
    z.iso.datetime()
  ),
  findings: list('Findings in the file; an error makes it fail.', provisioningFindingSchema),
  packages: list('Packages that it provisions, by name.', z.string()),
  categories: list('Categories that it switches.', z.string()),
  senders: list('Senders that it provisions.', z.string()),
  heartbeats: list('Heartbeats that it provisions.', provisionedHeartbeatSchema),
  mappings: list('Mappings that it provisions.', mappingSchema),
});
export type ProvisionedFile = z.infer<typeof provisionedFileSchema>;

/**
 * `off`: NODEBELL_PROVISIONING_DIR is not set; `watching`: the folder is read at start and when it changes; `missing`: it
 * cannot be read, and the last applied files stay in effect.
 */
export const PROVISIONING_STATES = ['off', 'watching', 'missing'] as const;

export const provisioningSchema = component('Provisioning', 'The status of provisioning.', {
  state: oneOf('Whether the folder is read.', PROVISIONING_STATES),
  detail: string('Why the folder cannot be read: a sentence.').optional(),
  files: list('Its files, by name.', provisionedFileSchema),
});
export type Provisioning = z.infer<typeof provisioningSchema>;
