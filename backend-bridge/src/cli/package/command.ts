/** Flags and help of `nodebell package add|update|remove|list`; run.ts is loaded on demand. */
import { Option } from 'commander';
import { DEFAULT_DIALECT, DIALECTS } from '../../../contract/finding.ts';
import { type Cli, adminGroup } from '../shared/command.ts';
import { ADMIN_TOKEN_HELP } from '../shared/connection.ts';
import type { ChangeFlags, ConfirmFlags, PackageFlags } from './read.ts';

const HELP = `
${ADMIN_TOKEN_HELP}

Exit codes:
  0  done
  1  rejected by the bridge, errors in the files, or a confirmation is missing; nothing was changed
  2  a file could not be read, or the command is invalid
  3  the bridge is unreachable or unavailable (429, 503); a retry may succeed
`;

const CHANGE_HELP = `
The path is the folder of a package, or its manifest. Warnings of the author are printed first and must be confirmed with
--yes, a disclaimer with --accept-disclaimer.
${HELP}
Examples:
  $ nodebell package add packages/geth --variant mainnet
  $ nodebell package update dappnode_package.json --notifications notifications.yaml --yes
`;

export function addPackage(cli: Cli): void {
  const { io, end } = cli;
  const command = adminGroup(cli, 'package', 'Register, update, remove and list packages.', HELP);
  const change = (name: 'add' | 'update', description: string): void =>
    void command(`${name} <path>`, description, CHANGE_HELP)
      .option('--variant <name>', 'folder in package_variants, if there are several')
      .option('--notifications <file>', 'notifications file for a manifest')
      .option('--compose <file>', 'compose file for a manifest')
      .addOption(new Option('--dialect <dialect>', 'rules to apply').choices([...DIALECTS]).default(DEFAULT_DIALECT))
      .option('-y, --yes', 'confirm warnings')
      .option('--accept-disclaimer', 'accept the disclaimer')
      .option('--allow-downgrade', 'allow an older version, or other files of the same version')
      .action(async (path: string, flags: ChangeFlags) =>
        end(await (await import('./run.ts')).changePackage(name, path, flags, io))
      );
  change('add', 'Register a package.');
  change('update', 'Update a registered package.');
  command('remove <name>', 'Remove a package. Its notifications are kept.')
    .option('-y, --yes', 'confirm the warning')
    .action(async (name: string, flags: ConfirmFlags) =>
      end(await (await import('./run.ts')).removePackage(name, flags, io))
    );
  command('list', 'List registered packages.').action(async (flags: PackageFlags) =>
    (await import('./run.ts')).listPackages(flags, io)
  );
}
