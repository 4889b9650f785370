/** `nodebell package add`, `update`, `remove` and `list`. */
import type { z } from 'zod';
import { PACKAGES } from '../../../contract/api/packages.ts';
import {
  type PackageChange,
  packageDetailSchema,
  type PackagePreview,
  packageSummarySchema,
  type ShownWarning,
} from '../../../contract/package.ts';
import { adminCall } from '../shared/client.ts';
import { CliError, type CliIo, EXIT, type ExitCode, printable, table } from '../shared/io.ts';
import { countOf, formatOutcome } from '../validate/output.ts';
import { type ChangeFlags, type ConfirmFlags, type PackageFlags, readPackage } from './read.ts';

export async function changePackage(
  action: 'add' | 'update',
  given: string,
  flags: ChangeFlags,
  io: CliIo
): Promise<ExitCode> {
  const { texts, outcome, unused } = await readPackage(given, flags);
  if (countOf(outcome, 'error') > 0) {
    io.err(`${formatOutcome('human', outcome, io)}\nNothing was changed.\n`);
    return EXIT.refused;
  }
  const files = { ...texts, dialect: flags.dialect };
  const preview = await adminCall(PACKAGES.previewPackage, { body: files }, flags, io);
  const { name, kind } = accepted(preview, action, flags);
  if (kind === 'same') {
    io.out(flags.json ? `${JSON.stringify({ dnpName: name, change: preview.change })}\n` : `${name} is up to date\n`);
    return EXIT.ok;
  }
  io.err(confirmationText(preview, unused));
  const missing = missingFlags(preview, flags);
  if (missing.length > 0) {
    io.err(`\nNothing was changed. Add ${missing.join(' and ')} to confirm.\n`);
    return EXIT.refused;
  }
  const body = {
    ...files,
    ...(flags.acceptDisclaimer && { disclaimerAccepted: true }),
    ...(flags.allowDowngrade && { allowDowngrade: true }),
  };
  const { dnpName, version } =
    action === 'add'
      ? await adminCall(PACKAGES.registerPackage, { body }, flags, io, registeredSchema)
      : await adminCall(PACKAGES.updatePackage, { params: { dnpName: name }, body }, flags, io, registeredSchema);
  const done = { dnpName, version, change: preview.change };
  const message = `${action === 'add' ? 'registered' : 'updated'} ${printable(dnpName)} ${printable(version)}`;
  io.out(flags.json ? `${JSON.stringify(done)}\n` : `${message}\n`);
  return EXIT.ok;
}

const registeredSchema = packageSummarySchema.pick({ dnpName: true, version: true });

/** @throws CliError if the action does not apply */
function accepted(
  preview: PackagePreview,
  action: 'add' | 'update',
  flags: ChangeFlags
): { name: string; kind: string } {
  const { summary, change } = preview;
  if (!preview.acceptable || summary === undefined || change === undefined) {
    // The bridge validates against the registered packages, which are unknown here.
    const errors = preview.findings.filter(({ verdict }) => verdict === 'error');
    const details = errors.map(({ title, detail }) => `\n  ${printable(title)}: ${printable(detail)}`).join('');
    throw new CliError(EXIT.refused, `the bridge rejected the package:${details}`);
  }
  const name = printable(summary.dnpName);
  if (action === 'add' && change.kind !== 'install' && change.kind !== 'same') {
    throw new CliError(
      EXIT.refused,
      `${name} is already registered in version ${printable(change.from ?? '')}. Use "nodebell package update".`
    );
  }
  if (action === 'update' && change.kind === 'install') {
    throw new CliError(EXIT.refused, `${name} is not registered. Use "nodebell package add".`);
  }
  if ((change.kind === 'downgrade' || change.kind === 'changed') && !flags.allowDowngrade) {
    throw new CliError(EXIT.refused, `${name} ${changeText(change)}. Add --allow-downgrade to continue.`);
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
  const packages = await adminCall(PACKAGES.listPackages, {}, flags, io);
  if (flags.json) {
    io.out(`${JSON.stringify(packages)}\n`);
  } else if (packages.length === 0) {
    io.err('No packages. Register one with "nodebell package add <folder>".\n');
  } else {
    io.out(table([['NAME', 'VERSION', 'TYPE', 'ENDPOINTS', 'MISSING', 'SOURCE'], ...packages.map(cells)]));
  }
}

function cells({ dnpName, version, type, endpoints, missingDependencies, origin }: Card): string[] {
  const missing = missingDependencies === 0 ? 'none' : `${missingDependencies} required`;
  return [dnpName, version, type, String(endpoints), missing, origin.file ?? 'API'].map(printable);
}

const removableSchema = packageDetailSchema.pick({ dnpName: true, version: true, facts: true, origin: true });

export async function removePackage(name: string, flags: ConfirmFlags, io: CliIo): Promise<ExitCode> {
  const params = { dnpName: name };
  const { dnpName, version, facts, origin } = await adminCall(
    PACKAGES.getPackage,
    { params },
    flags,
    io,
    removableSchema
  );
  if (origin.file !== undefined) {
    const where = `${printable(dnpName)} is provisioned from ${printable(origin.file)}`;
    throw new CliError(EXIT.refused, `${where}. Remove it from that file.`);
  }
  const { onRemove } = facts.warnings;
  if (onRemove !== undefined && onRemove !== '') {
    io.err(`${printable(dnpName)} ${printable(version)}\n${quoted('Warning before removal', onRemove)}`);
    if (!flags.yes) {
      io.err('\nNothing was changed. Add --yes to confirm.\n');
      return EXIT.refused;
    }
  }
  await adminCall(PACKAGES.removePackage, { params }, flags, io);
  io.out(
    flags.json ? `${JSON.stringify({ dnpName, version })}\n` : `removed ${printable(dnpName)} ${printable(version)}\n`
  );
  return EXIT.ok;
}

export const changeText = ({ kind, level, from = '', to }: PackageChange): string =>
  ({
    install: printable(to),
    update: `${printable(from)} → ${printable(to)} (${level})`,
    downgrade: `${printable(from)} → ${printable(to)} is a downgrade`,
    changed: `${printable(to)} is registered with other files`,
    same: `${printable(to)} is up to date`,
  })[kind];

const WARNINGS: Record<ShownWarning['kind'], string> = {
  onInstall: 'Warning before installation',
  onUpdate: 'Warning before updates',
  onPatchUpdate: 'Warning before patch updates',
  onMinorUpdate: 'Warning before minor updates',
  onMajorUpdate: 'Warning before major updates',
  updateAlert: 'Update alert',
};

/** @param unused files of the folder that are not sent */
export function confirmationText(preview: PackagePreview, unused: readonly string[]): string {
  const { summary, change, facts, nodeRequirement, warnings, disclaimer } = preview;
  const lacking = (facts?.dependencies ?? []).filter(({ state }) => state === 'missing' || state === 'unsatisfied');
  const notes = [
    ...lacking.map(({ name, range, registered, optional }) => {
      const has = registered === undefined ? 'is not registered' : `is registered in version ${registered}`;
      return `${optional ? 'Supports' : 'Requires'} ${name} ${range}, which ${has}.`;
    }),
    ...(nodeRequirement?.state === 'unmet'
      ? [`Requires node version ${nodeRequirement.minimum}; this node has ${nodeRequirement.node}.`]
      : []),
    ...(unused.length > 0 ? [`Not sent (used by provisioning only): ${unused.join(', ')}.`] : []),
  ];
  const messages = [
    ...warnings.map(({ kind, message }) => quoted(WARNINGS[kind], message)),
    ...(disclaimer && !disclaimer.approved ? [quoted('Disclaimer', disclaimer.message)] : []),
  ];
  const head = `${printable(summary?.dnpName ?? '')} ${change ? changeText(change) : ''}\n`;
  return `${head}${notes.map((note) => `  ${printable(note)}\n`).join('')}${messages.join('')}`;
}

/** Text of the author, with its line breaks. */
export function quoted(title: string, message: string): string {
  const lines = message.trim().split(/\r\n|\n|\r/);
  return `\n${title}:\n${lines.map((line) => `  ${printable(line)}`.trimEnd()).join('\n')}\n`;
}
