/** `nodebell package add|update|remove|list`: the flags and the help; what they do is loaded when it is asked for. */
import { type Command, Option } from 'commander';
import { type Dialect, DIALECTS } from '../../../contract/finding.ts';
import { ADMIN_TOKEN_HELP, type ConnectionFlags } from '../connection.ts';
import type { CliIo, ExitCode } from '../io.ts';

export interface PackageFlags extends ConnectionFlags {
  json?: boolean;
}

/** Of `remove`, and of the others. */
export interface ConfirmFlags extends PackageFlags {
  yes?: boolean;
}

export interface ChangeFlags extends ConfirmFlags {
  dialect: Dialect;
  variant?: string;
  notifications?: string;
  compose?: string;
  acceptDisclaimer?: boolean;
  allowDowngrade?: boolean;
}

const HELP = `
${ADMIN_TOKEN_HELP}

Exit codes:
  0  done
  1  refused: the files have errors, something has to be read and approved first, or the bridge says no; nothing was changed
  2  a file could not be read, or the command itself was wrong
  3  the bridge was not reached or cannot take it now (429, 503); trying again can help
`;

const CHANGE_HELP = `
The path is the folder of a package, or its manifest. What its author wants to be read before is printed first; with such a
warning nothing is done until --yes says that it was read, and with a disclaimer until --accept-disclaimer approves it.
${HELP}
Examples:
  $ nodebell package add packages/geth --variant mainnet
  $ nodebell package update dappnode_package.json --notifications notifications.yaml --yes
`;

export function addPackage(
  program: Command,
  io: CliIo,
  connectionOptions: (command: Command) => Command,
  end: (code: ExitCode) => void
): void {
  const group = program
    .command('package')
    .description('Register, update, remove and list packages.')
    .addHelpText('after', HELP);
  const command = (name: string, description: string, help = HELP): Command =>
    connectionOptions(
      group
        .command(name)
        .description(description)
        .option('--data-dir <folder>', "the bridge's data directory, which holds the admin token")
        .option('--json', 'print JSON')
    ).addHelpText('after', help);
  const change = (name: 'add' | 'update', description: string): void =>
    void command(`${name} <path>`, description, CHANGE_HELP)
      .option('--variant <name>', 'which folder of package_variants, where the folder has several')
      .option('--notifications <file>', 'the notifications file, beside a manifest')
      .option('--compose <file>', 'the compose file, beside a manifest')
      .addOption(new Option('--dialect <dialect>', 'whose rules').choices([...DIALECTS]).default('dappnode'))
      .option('-y, --yes', 'the warnings were read')
      .option('--accept-disclaimer', 'approve the disclaimer')
      .option('--allow-downgrade', 'an older version, or other files under the same version, is meant')
      .action(async (path: string, flags: ChangeFlags) => {
        const { changePackage } = await import('./run.ts');
        end(await changePackage(name, path, flags, io));
      });
  change('add', 'Register a package.');
  change('update', 'Update a package that is registered.');
  command('remove <name>', 'Remove a package. Its notifications stay.')
    .option('-y, --yes', 'the warning was read')
    .action(async (name: string, flags: ConfirmFlags) => {
      const { removePackage } = await import('./run.ts');
      end(await removePackage(name, flags, io));
    });
  command('list', 'List the packages that are registered.').action(async (flags: PackageFlags) => {
    const { listPackages } = await import('./run.ts');
    await listPackages(flags, io);
  });
}
