/** `nodebell package add` and `update`: shows what is to be read, then asks the bridge. */
import type { PackagePreview } from '../../../contract/package.ts';
import { packageSummarySchema, previewSchema } from '../../../contract/package.ts';
import { askFor } from '../admin.ts';
import { CliError, type CliIo, EXIT, type ExitCode, printable } from '../io.ts';
import type { ChangeFlags } from '../packages.ts';
import { countOf } from '../validate/types.ts';
import { textOf } from '../validate/validate.ts';
import { readPackage } from './read.ts';
import { changeInWords, toRead } from './words.ts';

export async function changePackage(
  action: 'add' | 'update',
  given: string,
  flags: ChangeFlags,
  io: CliIo
): Promise<ExitCode> {
  const { texts, outcome, unused } = await readPackage(given, flags);
  if (countOf(outcome, 'error') > 0) {
    io.err(`${textOf('human', outcome, io)}\nNothing was done.\n`);
    return EXIT.refused;
  }
  const files = { ...texts, dialect: flags.dialect };
  const preview = await askFor(
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
  io.err(toRead(preview, unused));
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
  const { dnpName, version } = await askFor(registeredSchema, request, flags, io);
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
    throw new CliError(EXIT.refused, `${name} ${changeInWords(change)}. If that is meant, add --allow-downgrade.`);
  }
  return { name: summary.dnpName, kind: change.kind };
}

function missingFlags({ warnings, disclaimer }: PackagePreview, flags: ChangeFlags): string[] {
  return [
    ...(warnings.length > 0 && !flags.yes ? ['--yes'] : []),
    ...(disclaimer && !disclaimer.approved && !flags.acceptDisclaimer ? ['--accept-disclaimer'] : []),
  ];
}
