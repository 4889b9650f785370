/** Entry point of the command line, and what the commands share. */
import { Command, CommanderError } from 'commander';
import { addArchive } from './archive.ts';
import type { Cli } from './shared/command.ts';
import { RefusedError } from './shared/client.ts';
import { addDashboards } from './dashboards/command.ts';
import { CliError, type CliIo, EXIT, type ExitCode } from './shared/io.ts';
import { addPackage } from './package/command.ts';
import { addProvision } from './provision/command.ts';
import { addSchema } from './schema.ts';
import { addSend } from './send.ts';
import { addSettings } from './settings.ts';
import { addToken } from './tokens.ts';
import { addTransfer } from './transfer/command.ts';
import { addValidate } from './validate/command.ts';

const HELP = `
Examples:
  $ nodebell send --title "Disk almost full" --body "4.6 GB left on /" --priority high --category hardware
  $ echo '{"title": "Hello", "body": "from a script"}' | nodebell send
  $ nodebell token create "backup job" --package backup.example.eth
  $ nodebell validate packages/geth
  $ nodebell package add packages/geth
  $ nodebell provision --check
  $ nodebell backup --to /backups/ --keep 14

Run "nodebell <command> --help" for flags and exit codes.
`;

/** In the order of the help. */
const COMMANDS = [
  addSend,
  addToken,
  addSettings,
  addArchive,
  addValidate,
  addSchema,
  addPackage,
  addDashboards,
  addProvision,
  addTransfer,
];

/**
 * Runs one command.
 * @param args without the program's name
 * @returns the exit code; see EXIT
 */
export async function runCommandLine(args: readonly string[], io: CliIo): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(io);
  const cli: Cli = { program, io, end: (ended) => (code = ended) };
  COMMANDS.forEach((add) => add(cli));
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return failed(error, args, io);
  }
}

function createProgram(io: CliIo): Command {
  return new Command('nodebell')
    .description(
      'Send notifications to a Nodebell bridge, manage its packages and sender tokens, validate files, and back up its store.'
    )
    .version(io.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', HELP)
    .showHelpAfterError('(add --help for usage)')
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride();
}

function failed(error: unknown, args: readonly string[], io: CliIo): ExitCode {
  if (error instanceof CommanderError) {
    // Commander has printed the error; its exit codes are 0 for help and version, else 1.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  if (error instanceof CliError) {
    const json = error instanceof RefusedError && args.includes('--json');
    io.err(json ? `${JSON.stringify(error.problem)}\n` : `nodebell: ${error.message}\n`);
    return error.exitCode;
  }
  throw error;
}
