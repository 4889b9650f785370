/** `nodebell validate`: the flags and the help; what it does is loaded when it is asked for. */
import { type Command, Option } from 'commander';
import { type Dialect, DIALECTS } from '../../../contract/finding.ts';
import type { CliIo, ExitCode } from '../io.ts';

/** `human` for a terminal, `github` for annotations of GitHub Actions. */
export const FORMATS = ['human', 'json', 'sarif', 'github'] as const;
export type Format = (typeof FORMATS)[number];

export interface ValidateFlags {
  format: Format;
  dialect: Dialect;
  quiet?: boolean;
}

const HELP = `
A folder is searched for packages: folders that hold a dappnode_package.json. A package's manifest, notifications and compose
files are validated together, each of its package_variants laid over the root. A library is held to the types of the packages that
it depends on, where they are among those that are validated. Folders called node_modules, and those that begin with a dot, are
left out. A file is validated as what its name says: *notifications.yaml, *docker-compose.yml, and any other as a manifest;
a manifest together with the others that are named with it in the same folder.

Exit codes: 0 no error was found (there may be warnings); 1 there is an error; 2 a file could not be read, or the command
itself was wrong.

Examples:
  $ nodebell validate
  $ nodebell validate packages/geth --dialect spec
  $ nodebell validate --format sarif > findings.sarif
`;

export function addValidate(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  program
    .command('validate')
    .description('Validate packages before they are shipped: manifests, notifications and compose files.')
    .argument('[paths...]', 'files and folders (default: the folder that you are in)')
    .addOption(new Option('--format <format>', 'how findings are printed').choices([...FORMATS]).default('human'))
    .addOption(new Option('--dialect <dialect>', 'whose rules').choices([...DIALECTS]).default('dappnode'))
    .option('-q, --quiet', 'print errors only')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: ValidateFlags) => {
      const { validate } = await import('./run.ts');
      end(await validate(paths, flags, io));
    });
}
