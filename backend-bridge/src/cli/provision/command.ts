/** Flags and help of `nodebell provision`; run.ts is loaded on demand. */
import { Option } from 'commander';
import { type Cli, connectingAsAdmin } from '../shared/command.ts';
import { DEFAULT_DIR, usageError } from '../shared/io.ts';
import { FORMATS } from '../validate/output.ts';
import type { ProvisionFlags } from './run.ts';

const HELP = `
The folder is --dir, NODEBELL_PROVISIONING_DIR or ${DEFAULT_DIR}: either the bridge's provisioning folder, or one that contains
it as "nodebell" next to Grafana's folders, which are ignored. The bridge applies the files itself; this command changes nothing.
Variables in the files are resolved from the environment of this command.

--dry-run requires the admin token, read from --token-file, NODEBELL_ADMIN_TOKEN, NODEBELL_ADMIN_TOKEN_FILE, or the file
admin-token in the data directory of the bridge (--data-dir, NODEBELL_DATA_DIR, ./data). It does not compare "files", whose
paths differ inside and outside of a container, nor "chains", which the bridge does not expose.

Exit codes:
  0  no errors; with --dry-run: no differences
  1  errors in the files, or the request was rejected
  2  a file could not be read, or the command is invalid
  3  the bridge is unreachable
  4  with --dry-run: there are differences

Examples:
  $ nodebell provision --check --format github
  $ nodebell provision --dry-run --dir /etc/nodebell --url https://nodebell.example
`;

export function addProvision({ program, io, end }: Cli): void {
  const command = program
    .command('provision')
    .description('Validate provisioning files of the bridge, and compare them with a running bridge.')
    .option('--check', 'validate the files and the packages they refer to; no bridge required')
    .addOption(new Option('--dry-run', 'print the differences to the running bridge').conflicts('check'))
    .option('--dir <folder>', `folder of the files (NODEBELL_PROVISIONING_DIR; default: ${DEFAULT_DIR})`)
    .addOption(new Option('--format <format>', 'output format').choices([...FORMATS]).default('human'));
  connectingAsAdmin(command)
    .addHelpText('after', HELP)
    .action(async (flags: ProvisionFlags) => {
      if (!flags.check && !flags.dryRun) {
        throw usageError('--check or --dry-run is required. The bridge applies the files itself.');
      }
      if (flags.dryRun && flags.format !== 'human' && flags.format !== 'json') {
        throw usageError(`--dry-run supports --format human and json, found ${flags.format}.`);
      }
      end(await (await import('./run.ts')).provision(flags, io));
    });
}
