/** The result of applying the provisioning files (docs/configure.md): GET /api/v1/provisioning. */
import { z } from 'zod';
import { findingSchema } from './finding.ts';
import { provisionedHeartbeatSchema } from './heartbeat.ts';
import { mappingSchema } from './mapping.ts';

/** A finding in a provisioning file or in a file that it names. */
export const provisioningFindingSchema = findingSchema
  .extend({
    file: z
      .string()
      .describe('The file, relative to the provisioning folder if it is in there.')
      .meta({ examples: ['packages.yaml', 'packages/geth/dappnode_package.json'] }),
  })
  .meta({ id: 'ProvisioningFinding', description: 'A finding in a provisioned file.' });
export type ProvisioningFinding = z.infer<typeof provisioningFindingSchema>;

/**
 * `applied`: the file is in effect; `failed`: it has errors or could not be applied, and its last applied version is still in
 * effect.
 */
export const PROVISIONED_STATES = ['applied', 'failed'] as const;

export const provisionedFileSchema = z
  .object({
    file: z
      .string()
      .describe('Its name in the folder.')
      .meta({ examples: ['packages.yaml'] }),
    state: z.enum(PROVISIONED_STATES).describe('Whether the file is in effect.'),
    checkedAt: z.iso.datetime().nullable().describe('Time of the last read; null: not since the bridge started.'),
    appliedAt: z.iso
      .datetime()
      .nullable()
      .describe('Time at which the version in effect was applied; null: not since the bridge started.'),
    findings: z.array(provisioningFindingSchema).describe('Findings in the file; an error makes it fail.'),
    packages: z.array(z.string()).describe('Packages that it provisions, by name.'),
    categories: z.array(z.string()).describe('Categories that it switches.'),
    senders: z.array(z.string()).describe('Senders that it provisions.'),
    heartbeats: z.array(provisionedHeartbeatSchema).describe('Heartbeats that it provisions.'),
    mappings: z.array(mappingSchema).describe('Mappings that it provisions.'),
  })
  .meta({ id: 'ProvisionedFile', description: 'The status of a provisioning file.' });
export type ProvisionedFile = z.infer<typeof provisionedFileSchema>;

/**
 * `off`: NODEBELL_PROVISIONING_DIR is not set; `watching`: the folder is read at start and when it changes; `missing`: it
 * cannot be read, and the last applied files stay in effect.
 */
export const PROVISIONING_STATES = ['off', 'watching', 'missing'] as const;

export const provisioningSchema = z
  .object({
    state: z.enum(PROVISIONING_STATES).describe('Whether the folder is read.'),
    detail: z.string().optional().describe('Why the folder cannot be read: a sentence.'),
    files: z.array(provisionedFileSchema).describe('Its files, by name.'),
  })
  .meta({ id: 'Provisioning', description: 'The status of provisioning.' });
export type Provisioning = z.infer<typeof provisioningSchema>;
