/** Mappings of webhooks. */
import { SERVICE } from '../../../contract/api/service.ts';
import { z } from 'zod';
import { type Mapping, type MappingEntry, mappingSchema } from '../../../contract/mapping.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import { evaluator } from '../../intake/mapping/evaluator.ts';
import { expressionsOf, WHOLE } from '../../intake/mapping/expressions.ts';
import type { Outcome } from '../../intake/mapping/mappingProcess.ts';
import { placeOf, readResult } from '../../intake/webhooks/fromMapped.ts';
import { inTurns } from '../../platform/runtime/steps.ts';
import { type Kind, listed, type LoadContext, type Loaded, named, textChange } from './kind.ts';

const responseSchema = z.object({
  files: z.array(z.object({ file: z.string(), mappings: z.array(mappingSchema).default([]) })),
});

export const mappings: Kind<'mappings', MappingEntry, Mapping, Mapping> = {
  ...named('mapping', 'name'),
  member: 'mappings',
  entries: (file) => listed('mappings', file.mappings),
  load: loadMapping,
  async owners(deps) {
    const all = await deps.mappings();
    return {
      files: all.map(({ file }) => file),
      of: (name) => all.find(({ mapping }) => mapping.name === name)?.file,
      names: (file) => all.flatMap((one) => (one.file === file ? one.mapping : [])),
    };
  },
  stored: (wanted) => wanted,
  dryRun: {
    async inUse(get) {
      const { files } = await get(SERVICE.getProvisioning, responseSchema);
      return files.flatMap(({ file, mappings: all }) => all.map((value) => ({ key: value.name, file, value })));
    },
    key: ({ name }) => name,
    difference: (wanted, before, { file }) => textChange(wanted, before, file, textOf),
    removal: () => 'no longer',
  },
};

/** `title: issue.title, priority: "high"` */
const textOf = (mapping: Mapping): string =>
  Object.entries(expressionsOf(mapping))
    .map(([member, text]) => `${member === WHOLE ? '' : `${member}: `}${text.trim().replaceAll(/\s+/g, ' ')}`)
    .join(', ');

/** Entries without errors: files are read every minute, and those that are unchanged have the same entries. */
const valid = new WeakMap<MappingEntry, Mapping>();

/** Compiles the expressions, and evaluates them with the sample. */
async function loadMapping(entry: MappingEntry, context: LoadContext): Promise<Loaded<Mapping>> {
  const known = valid.get(entry);
  if (known) {
    return { findings: [], names: [], wanted: known };
  }
  const { sample, ...wanted } = entry;
  const input = sample === undefined ? undefined : JSON.stringify(sample);
  const findings = await evaluator.evaluate({ expressions: expressionsOf(wanted), input }).then(
    (outcome) => findingsOf(entry, outcome, context),
    (error: unknown) => [context.at([], { ...INVALID, detail: `Not validated: ${(error as Error).message}` })]
  );
  if (findings.length > 0) {
    return { findings, names: [] };
  }
  valid.set(entry, wanted);
  return { findings, names: [], wanted };
}

const INVALID = { rule: 'mapping', verdict: 'error', title: 'Invalid mapping' } as const;

async function findingsOf(
  { name, sample }: MappingEntry,
  { errors, json }: Outcome,
  { at }: LoadContext
): Promise<ProvisioningFinding[]> {
  if (errors.length > 0) {
    return errors.map((error) => {
      const { member, message, position = 1 } = error;
      const path = member === undefined ? [] : member === WHOLE ? ['expression'] : ['members', member];
      return at(
        path,
        { ...INVALID, detail: `The expression fails${placeOf(error)}: ${message}` },
        Math.max(0, position - 1)
      );
    });
  }
  const read = sample === undefined ? undefined : await inTurns(readResult(name, json));
  return read === undefined || read.ok ? [] : read.errors.map(({ detail }) => at(['sample'], { ...INVALID, detail }));
}
