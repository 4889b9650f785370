/** `nodebell provision`: the flags and the help; what it does is loaded when it is asked for. */
import { type Command, Option } from 'commander';
import type { ConnectionFlags } from '../connection.ts';
import { type CliIo, type ExitCode, usageError } from '../io.ts';
import { type Format, FORMATS } from '../validate/command.ts';

export interface ProvisionFlags extends ConnectionFlags {
  check?: boolean;
  dryRun?: boolean;
  dir?: string;
  format: Format;
}

/** Where a clone has its example. */
export const DEFAULT_DIR = 'provisioning';

const HELP = `
The folder: --dir, else NODEBELL_PROVISIONING_DIR, else ${DEFAULT_DIR}. It is the bridge's, or one that holds it as "nodebell"
beside Grafana's own folders (plugins, datasources, alerting, dashboards): --check then validates all of them. The files are put
into use by the bridge and by Grafana, which read them themselves; this command changes nothing. Variables in the bridge's
files are looked up in the environment of this command; those in Grafana's are left as they are.

--dry-run needs the admin token: --token-file, else NODEBELL_ADMIN_TOKEN or NODEBELL_ADMIN_TOKEN_FILE, else the file
admin-token in the data directory of the bridge (--data-dir, NODEBELL_DATA_DIR, ./data). It compares all but the folders that
"files" names, since these are other paths in a container than outside of it, and "chains", which a bridge keeps to itself.

Exit codes:
  0  no mistake; with --dry-run: and no difference
  1  there are mistakes, or the bridge refused to answer
  2  a file could not be read, or the command itself was wrong
  3  the bridge was not reached
  4  with --dry-run: there are differences

Examples:
  $ nodebell provision --check --format github
  $ nodebell provision --dry-run --dir /etc/nodebell --url https://nodebell.example
`;

export function addProvision(
  program: Command,
  io: CliIo,
  connectionOptions: (command: Command) => Command,
  end: (code: ExitCode) => void
): void {
  const command = program
    .command('provision')
    .description("Validate an operator's files and Grafana's, and compare the former with a running bridge.")
    .option('--check', 'validate the files, and what they name; no bridge is needed')
    .addOption(new Option('--dry-run', 'print what would change in the running bridge').conflicts('check'))
    .option('--dir <folder>', `the folder of the files (NODEBELL_PROVISIONING_DIR; default: ${DEFAULT_DIR})`)
    .addOption(new Option('--format <format>', 'how it is printed').choices([...FORMATS]).default('human'))
    .option('--data-dir <folder>', "the bridge's data directory, which holds the admin token");
  connectionOptions(command)
    .addHelpText('after', HELP)
    .action(async (flags: ProvisionFlags) => {
      if (!flags.check && !flags.dryRun) {
        throw usageError('Say --check or --dry-run. The bridge itself puts the files into use.');
      }
      if (flags.dryRun && flags.format !== 'human' && flags.format !== 'json') {
        throw usageError(`With --dry-run --format is human or json; found ${flags.format}.`);
      }
      const { provision } = await import('./run.ts');
      end(await provision(flags, io));
    });
}
