/** `nodebell package list` and `remove`. */
import { z } from 'zod';
import { packageDetailSchema, packageSummarySchema } from '../../../contract/package.ts';
import { askFor } from '../admin.ts';
import { CliError, type CliIo, EXIT, type ExitCode, printable } from '../io.ts';
import type { ConfirmFlags, PackageFlags } from '../packages.ts';
import { table } from '../table.ts';
import { quoted } from './words.ts';

type Card = z.infer<typeof packageSummarySchema>;

export async function listPackages(flags: PackageFlags, io: CliIo): Promise<void> {
  const packages = await askFor(z.array(packageSummarySchema), { method: 'GET', path: 'api/v1/packages' }, flags, io);
  if (flags.json) {
    io.out(`${JSON.stringify(packages)}\n`);
  } else if (packages.length === 0) {
    io.err('There are no packages. "nodebell package add <folder>" registers one.\n');
  } else {
    io.out(table([['NAME', 'VERSION', 'TYPE', 'ENDPOINTS', 'LACKS', 'FROM'], ...packages.map(cells)]));
  }
}

function cells({ dnpName, version, type, endpoints, missingDependencies, origin }: Card): string[] {
  const lacks = missingDependencies === 0 ? 'nothing' : `${missingDependencies} needed`;
  return [dnpName, version, type, String(endpoints), lacks, origin.file ?? 'by hand'].map(printable);
}

const removableSchema = packageDetailSchema.pick({ dnpName: true, version: true, facts: true, origin: true });

export async function removePackage(name: string, flags: ConfirmFlags, io: CliIo): Promise<ExitCode> {
  const path = `api/v1/packages/${encodeURIComponent(name)}`;
  const { dnpName, version, facts, origin } = await askFor(removableSchema, { method: 'GET', path }, flags, io);
  if (origin.file !== undefined) {
    const where = `${printable(dnpName)} is provisioned by ${printable(origin.file)}`;
    throw new CliError(EXIT.refused, `${where}; it is removed when that file names it no longer.`);
  }
  const { onRemove } = facts.warnings;
  if (onRemove !== undefined && onRemove !== '') {
    io.err(`${printable(dnpName)} ${printable(version)}\n${quoted('Before it is removed', onRemove)}`);
    if (!flags.yes) {
      io.err('\nNothing was done. When you have read this, add --yes.\n');
      return EXIT.refused;
    }
  }
  await askFor(z.undefined(), { method: 'DELETE', path }, flags, io);
  io.out(
    flags.json ? `${JSON.stringify({ dnpName, version })}\n` : `removed ${printable(dnpName)} ${printable(version)}\n`
  );
  return EXIT.ok;
}
