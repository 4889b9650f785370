/** `nodebell provision`: validates provisioning files, and compares them with a running bridge. */
import { type Difference, differencesOf, readState, registeredType } from '../../provisioning/difference.ts';
import { adminCall } from '../shared/client.ts';
import { type CliIo, EXIT, type ExitCode, printable } from '../shared/io.ts';
import { countOf, type Format, formatOutcome, type Outcome } from '../validate/output.ts';
import type { ConnectionFlags } from '../shared/connection.ts';
import { readFolder } from './folder.ts';

export interface ProvisionFlags extends ConnectionFlags {
  check?: boolean;
  dryRun?: boolean;
  dir?: string;
  format: Format;
}

export async function provision(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  return flags.dryRun ? compare(flags, io) : check(flags, io);
}

async function check(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  const { outcome } = await readFolder(flags.dir, io);
  io.out(formatOutcome(flags.format, outcome, io));
  return codeOf(outcome);
}

async function compare(flags: ProvisionFlags, io: CliIo): Promise<ExitCode> {
  const state = await readState((operation, schema) => adminCall(operation, {}, flags, io, schema));
  const { folder, outcome } = await readFolder(flags.dir, io, (name) => registeredType(state, name));
  const code = codeOf(outcome);
  const differences = code === EXIT.ok ? differencesOf(folder, state) : undefined;
  if (flags.format === 'json') {
    const document = {
      ...(JSON.parse(formatOutcome('json', outcome, io)) as object),
      differences: differences ?? null,
    };
    io.out(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    const isPrinted = code !== EXIT.ok || outcome.files.some(({ findings }) => findings.length > 0);
    io.out(isPrinted ? formatOutcome(flags.format, outcome, io) : '');
    io.out(differences === undefined ? '' : differencesText(differences));
  }
  return differences?.length ? EXIT.different : code;
}

function codeOf(outcome: Outcome): ExitCode {
  return outcome.unreadable.length > 0 ? EXIT.usage : countOf(outcome, 'error') > 0 ? EXIT.refused : EXIT.ok;
}

const SIGNS = { add: '+', change: '~', remove: '-' } as const;

export function differencesText(differences: readonly Difference[]): string {
  if (differences.length === 0) {
    return 'No differences.\n';
  }
  const files = [...new Set(differences.map(({ file }) => file))];
  const widths = {
    kind: Math.max(8, ...differences.map(({ kind }) => kind.length)),
    name: Math.max(...differences.map(({ name }) => printable(name).length)),
  };
  const blocks = files.map((file) => {
    const lines = differences.filter((one) => one.file === file).map((one) => lineOf(one, widths));
    return `${printable(file)}\n${lines.join('')}`;
  });
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return `${blocks.join('\n')}\n${count}. Nothing was changed.\n`;
}

function lineOf(
  { action, kind, name, detail, warnings = [] }: Difference,
  widths: { kind: number; name: number }
): string {
  const head = `  ${SIGNS[action]} ${kind.padEnd(widths.kind)}  ${printable(name).padEnd(widths.name)}  ${printable(detail)}`;
  const messages = warnings.map((warning) => `      ${warning.kind}: ${printable(warning.message)}\n`);
  return `${head.trimEnd()}\n${messages.join('')}`;
}
