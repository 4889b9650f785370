/** `nodebell package add`, `update`, `remove` and `list`. */
import { z } from 'zod';
import {
  type PackageChange,
  packageDetailSchema,
  type PackagePreview,
  packageSummarySchema,
  previewSchema,
  type ShownWarning,
} from '../../../contract/package.ts';
import { adminRequest } from '../client.ts';
import { CliError, type CliIo, EXIT, type ExitCode, printable, table } from '../io.ts';
import { countOf } from '../validate/output.ts';
import { formatOutcome } from '../validate/output.ts';
import type { ChangeFlags, ConfirmFlags, PackageFlags } from './command.ts';
import { readPackage } from './read.ts';

export async function changePackage(
  action: 'add' | 'update',
  given: string,
  flags: ChangeFlags,
  io: CliIo
): Promise<ExitCode> {
  const { texts, outcome, unused } = await readPackage(given, flags);
  if (countOf(outcome, 'error') > 0) {
    io.err(`${formatOutcome('human', outcome, io)}\nNothing was done.\n`);
    return EXIT.refused;
  }
  const files = { ...texts, dialect: flags.dialect };
  const preview = await adminRequest(
    previewSchema,
    { method: 'POST', path: 'api/v1/packages/preview', body: files },
    flags,
    io
  );
  const { name, kind } = accepted(preview, action, flags);
  if (kind === 'same') {
    io.out(
      flags.json
        ? `${JSON.stringify({ dnpName: name, change: preview.change })}\n`
        : `${name} is registered like this already\n`
    );
    return EXIT.ok;
  }
  io.err(confirmationText(preview, unused));
  const missing = missingFlags(preview, flags);
  if (missing.length > 0) {
    io.err(`\nNothing was done. When you have read this, add ${missing.join(' and ')}.\n`);
    return EXIT.refused;
  }
  const body = {
    ...files,
    ...(flags.acceptDisclaimer && { disclaimerAccepted: true }),
    ...(flags.allowDowngrade && { allowDowngrade: true }),
  };
  const request =
    action === 'add'
      ? ({ method: 'POST', path: 'api/v1/packages', body } as const)
      : ({ method: 'PUT', path: `api/v1/packages/${encodeURIComponent(name)}`, body } as const);
  const { dnpName, version } = await adminRequest(registeredSchema, request, flags, io);
  const done = { dnpName, version, change: preview.change };
  const words = `${action === 'add' ? 'registered' : 'updated'} ${printable(dnpName)} ${printable(version)}`;
  io.out(flags.json ? `${JSON.stringify(done)}\n` : `${words}\n`);
  return EXIT.ok;
}

const registeredSchema = packageSummarySchema.pick({ dnpName: true, version: true });

/** @throws CliError when this is not what the action is for */
function accepted(
  preview: PackagePreview,
  action: 'add' | 'update',
  flags: ChangeFlags
): { name: string; kind: string } {
  const { summary, change } = preview;
  if (!preview.acceptable || summary === undefined || change === undefined) {
    // Beside the packages that are registered, which this command does not know.
    const errors = preview.findings.filter(({ verdict }) => verdict === 'error');
    const words = errors.map(({ title, detail }) => `\n  ${printable(title)}: ${printable(detail)}`).join('');
    throw new CliError(EXIT.refused, `The bridge refuses the package:${words}`);
  }
  const name = printable(summary.dnpName);
  if (action === 'add' && change.kind !== 'install' && change.kind !== 'same') {
    throw new CliError(
      EXIT.refused,
      `${name} is registered already, in version ${printable(change.from ?? '')}. "nodebell package update" updates it.`
    );
  }
  if (action === 'update' && change.kind === 'install') {
    throw new CliError(EXIT.refused, `${name} is not registered. "nodebell package add" registers it.`);
  }
  if ((change.kind === 'downgrade' || change.kind === 'changed') && !flags.allowDowngrade) {
    throw new CliError(EXIT.refused, `${name} ${changeText(change)}. If that is meant, add --allow-downgrade.`);
  }
  return { name: summary.dnpName, kind: change.kind };
}

function missingFlags({ warnings, disclaimer }: PackagePreview, flags: ChangeFlags): string[] {
  return [
    ...(warnings.length > 0 && !flags.yes ? ['--yes'] : []),
    ...(disclaimer && !disclaimer.approved && !flags.acceptDisclaimer ? ['--accept-disclaimer'] : []),
  ];
}

type Card = z.infer<typeof packageSummarySchema>;

export async function listPackages(flags: PackageFlags, io: CliIo): Promise<void> {
  const packages = await adminRequest(
    z.array(packageSummarySchema),
    { method: 'GET', path: 'api/v1/packages' },
    flags,
    io
  );
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
  const { dnpName, version, facts, origin } = await adminRequest(removableSchema, { method: 'GET', path }, flags, io);
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
  await adminRequest(z.undefined(), { method: 'DELETE', path }, flags, io);
  io.out(
    flags.json ? `${JSON.stringify({ dnpName, version })}\n` : `removed ${printable(dnpName)} ${printable(version)}\n`
  );
  return EXIT.ok;
}

export function changeText({ kind, level, from = '', to }: PackageChange): string {
  switch (kind) {
    case 'install':
      return printable(to);
    case 'update':
      return `${printable(from)} → ${printable(to)} (${level})`;
    case 'downgrade':
      return `${printable(from)} → ${printable(to)} would be a downgrade`;
    case 'changed':
      return `${printable(to)} is registered with other files`;
    case 'same':
      return `${printable(to)} is registered like this already`;
  }
}

const WARNINGS: Record<ShownWarning['kind'], string> = {
  onInstall: 'Before it is installed',
  onUpdate: 'Before it is updated',
  onPatchUpdate: 'Before a patch',
  onMinorUpdate: 'Before a minor update',
  onMajorUpdate: 'Before a major update',
  updateAlert: 'About this update',
};

/** @param unused files of the folder that are not sent */
export function confirmationText(preview: PackagePreview, unused: readonly string[]): string {
  const { summary, change, facts, nodeRequirement, warnings, disclaimer } = preview;
  const lacking = (facts?.dependencies ?? []).filter(({ state }) => state === 'missing' || state === 'unsatisfied');
  const notes = [
    ...lacking.map(({ name, range, registered, optional }) => {
      const has = registered === undefined ? 'is not registered' : `is registered in version ${registered}`;
      return `It ${optional ? 'can use' : 'needs'} ${name} ${range}, which ${has}.`;
    }),
    ...(nodeRequirement?.state === 'unmet'
      ? [`It needs version ${nodeRequirement.minimum} of the node, which has ${nodeRequirement.node}.`]
      : []),
    ...(unused.length > 0 ? [`Not sent, since only provisioning uses them: ${unused.join(', ')}.`] : []),
  ];
  const said = [
    ...warnings.map(({ kind, message }) => quoted(WARNINGS[kind], message)),
    ...(disclaimer && !disclaimer.approved ? [quoted('Disclaimer', disclaimer.message)] : []),
  ];
  const head = `${printable(summary?.dnpName ?? '')} ${change ? changeText(change) : ''}\n`;
  return `${head}${notes.map((note) => `  ${printable(note)}\n`).join('')}${said.join('')}`;
}

/** The author's words: their lines are kept, since a disclaimer without them is hard to read. */
export function quoted(title: string, message: string): string {
  const lines = message.trim().split(/\r\n|\n|\r/);
  return `\n${title}:\n${lines.map((line) => `  ${printable(line)}`.trimEnd()).join('\n')}\n`;
}
