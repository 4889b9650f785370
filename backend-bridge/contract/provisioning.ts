/** The result of applying the provisioning files (docs/provision.md): GET /api/v1/provisioning. */
import { z } from 'zod';
import { findingSchema } from './finding.ts';

/** As a judge's finding, but in any of the operator's files: the YAML itself, or a file that it names. */
export const provisioningFindingSchema = findingSchema
  .extend({
    file: z
      .string()
      .describe('The file that it is about, relative to the folder where it is in there.')
      .meta({ examples: ['packages.yaml', 'packages/geth/dappnode_package.json'] }),
  })
  .meta({ id: 'ProvisioningFinding', description: 'One thing that is to be said of a provisioned file.' });
export type ProvisioningFinding = z.infer<typeof provisioningFindingSchema>;

/**
 * `applied`: what the file says is in use; `failed`: it has mistakes or could not be applied, and what it said when it was
 * applied last is still in use.
 */
export const PROVISIONED_STATES = ['applied', 'failed'] as const;

export const provisionedFileSchema = z
  .object({
    file: z
      .string()
      .describe('Its name in the folder.')
      .meta({ examples: ['packages.yaml'] }),
    state: z.enum(PROVISIONED_STATES).describe('Whether what it says is in use.'),
    checkedAt: z.iso.datetime().nullable().describe('When it was read last; null: not since the bridge started.'),
    appliedAt: z.iso
      .datetime()
      .nullable()
      .describe('When what is in use of it was applied, since the bridge started; null: not since then.'),
    findings: z.array(provisioningFindingSchema).describe('What is to be said of it; it fails when one is an error.'),
    packages: z.array(z.string()).describe('The packages in use that it provisions, by name.'),
    categories: z.array(z.string()).describe('The categories in use that it switches.'),
    senders: z.array(z.string()).describe('The senders in use that it provisions.'),
  })
  .meta({ id: 'ProvisionedFile', description: "What became of one of the operator's files." });
export type ProvisionedFile = z.infer<typeof provisionedFileSchema>;

/**
 * `off`: NODEBELL_PROVISIONING_DIR is not set; `watching`: the folder is read at start and when it changes; `missing`: it
 * cannot be read, and what was in use stays in use.
 */
export const PROVISIONING_STATES = ['off', 'watching', 'missing'] as const;

export const provisioningSchema = z
  .object({
    state: z.enum(PROVISIONING_STATES).describe('Whether the folder is read.'),
    detail: z.string().optional().describe('Why the folder cannot be read, in words.'),
    files: z.array(provisionedFileSchema).describe('Its files, by name.'),
  })
  .meta({ id: 'Provisioning', description: "What became of the operator's files." });
export type Provisioning = z.infer<typeof provisioningSchema>;
