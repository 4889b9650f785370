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
import { countOf, type Outcome } from '../validate/types.ts';
import { judgeFolder, readFolder } from './folder.ts';
import { differencesText } from './words.ts';

export async function provision(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  return flags.dryRun ? compare(flags, io) : check(flags, io);
}

async function check(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  const outcome = await judgeFolder(flags.dir, io);
  io.out(textOf(flags.format, outcome, io));
  return codeOf(outcome);
}

async function compare(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  const inUse = await askInUse(flags, io);
  const types = new Map(inUse.packages.map(({ dnpName, type }) => [dnpName, type]));
  const { folder, outcome } = await readFolder(flags.dir, io, (name) => types.get(name));
  const code = codeOf(outcome);
  const differences = code === EXIT.ok ? differencesOf(folder, inUse) : undefined;
  if (flags.format === 'json') {
    const document = { ...(JSON.parse(textOf('json', outcome, io)) as object), differences: differences ?? null };
    io.out(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    const isWorthTelling = code !== EXIT.ok || outcome.files.some(({ findings }) => findings.length > 0);
    io.out(isWorthTelling ? textOf(flags.format, outcome, io) : '');
    io.out(differences === undefined ? '' : differencesText(differences));
  }
  return hasAny(differences) ? EXIT.different : code;
}

function codeOf(outcome: Outcome): ExitCode {
  return outcome.unreadable.length > 0 ? EXIT.usage : countOf(outcome, 'error') > 0 ? EXIT.refused : EXIT.ok;
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
