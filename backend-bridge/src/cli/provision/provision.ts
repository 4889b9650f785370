/** Judges an operator's files, and compares them with what a bridge has in use. */
import { z } from 'zod';
import { endpointPackageSchema } from '../../../contract/endpoint.ts';
import { packageSummarySchema } from '../../../contract/package.ts';
import { categorySchema } from '../../../contract/query.ts';
import { tokenListSchema } from '../../../contract/token.ts';
import { type Difference, differencesOf, type InUse } from '../../provisioning/difference.ts';
import { askFor } from '../admin.ts';
import { type CliIo, EXIT, type ExitCode } from '../io.ts';
import type { ProvisionFlags } from '../provision.ts';
import { textOf } from '../validate/validate.ts';
import { countOf } from '../validate/types.ts';
import { readFolder } from './folder.ts';
import { differencesText } from './words.ts';

export async function provision(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  const inUse = flags.dryRun ? await askInUse(flags, io) : undefined;
  const types = new Map(inUse?.packages.map(({ dnpName, type }) => [dnpName, type]));
  const { folder, outcome } = await readFolder(flags.dir, io, (name) => types.get(name));
  const code = outcome.unreadable.length > 0 ? EXIT.usage : countOf(outcome, 'error') > 0 ? EXIT.refused : EXIT.ok;
  const isWrong = code !== EXIT.ok;
  const differences = inUse === undefined || isWrong ? undefined : differencesOf(folder, inUse);
  if (flags.format === 'json' && flags.dryRun) {
    const document = { ...(JSON.parse(textOf('json', outcome, io)) as object), differences: differences ?? null };
    io.out(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    const isWorthTelling = isWrong || flags.check || outcome.files.some(({ findings }) => findings.length > 0);
    io.out(isWorthTelling ? textOf(flags.format, outcome, io) : '');
    io.out(differences === undefined ? '' : differencesText(differences));
  }
  return hasAny(differences) ? EXIT.different : code;
}

const hasAny = (differences: readonly Difference[] | undefined): boolean => (differences ?? []).length > 0;

type RegisteredInUse = Omit<InUse, 'packages'> & { packages: (InUse['packages'][number] & { type: string })[] };

async function askInUse(flags: ProvisionFlags, io: CliIo): Promise<RegisteredInUse> {
  const ask = <T>(schema: z.ZodType<T>, path: string): Promise<T> =>
    askFor(schema, { method: 'GET', path: `api/v1/${path}` }, flags, io);
  const packages = await ask(z.array(registeredSchema), 'packages');
  const { packages: endpoints } = await ask(z.object({ packages: z.array(endpointPackageSchema) }), 'endpoints');
  const categories = await ask(z.array(categorySchema), 'categories');
  const senders = await ask(tokenListSchema, 'tokens');
  return { packages, endpoints, categories, senders };
}

/** As little of a card as is needed, so that the rest may grow. */
const registeredSchema = packageSummarySchema.pick({
  dnpName: true,
  version: true,
  type: true,
  fingerprint: true,
  origin: true,
});
