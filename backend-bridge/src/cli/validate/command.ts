/** Flags and help of `nodebell validate`; run.ts is loaded on demand. */
import { Option } from 'commander';
import { DEFAULT_DIALECT, DIALECTS } from '../../../contract/finding.ts';
import type { Cli } from '../shared/command.ts';
import { FORMATS } from './output.ts';
import type { ValidateFlags } from './run.ts';

const HELP = `
Folders are searched for packages: folders with a dappnode_package.json. Manifest, notifications and compose files of a package
are validated together, with each of its package_variants merged over the root. Libraries are validated against the types of
their dependencies, if these are among the validated packages. Folders named node_modules or starting with a dot are skipped. The
kind of a file depends on its name: *notifications.yaml, *docker-compose.yml, otherwise a manifest. A manifest is validated
together with the other files of the same folder that are given.

Dialects: dappnode reports an error exactly where DAppNode rejects the manifest, the notifications file or the compose file, spec
where the specification does; any reports an error only if both do, or if the file cannot be used, and a warning that names the one
that rejects it. What only some packages may do in a compose file is not validated without their manifest.

Exit codes: 0 no errors, and with --strict no warnings; 1 findings of these kinds; 2 a file could not be read, or the command is
invalid.

Examples:
  $ nodebell validate
  $ nodebell validate --dialect dappnode --strict packages/geth
  $ nodebell validate --format sarif > findings.sarif
`;

export function addValidate({ program, io, end }: Cli): void {
  program
    .command('validate')
    .description('Validate packages: manifests, notifications and compose files.')
    .argument('[paths...]', 'files and folders (default: current folder)')
    .addOption(new Option('--format <format>', 'output format').choices([...FORMATS]).default('human'))
    .addOption(new Option('--dialect <dialect>', 'rules to apply').choices([...DIALECTS]).default(DEFAULT_DIALECT))
    .option('--strict', 'exit with 1 on warnings, too')
    .option('-q, --quiet', 'print errors only')
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: ValidateFlags) =>
      end(await (await import('./run.ts')).validate(paths, flags, io))
    );
}
