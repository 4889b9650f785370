/** `nodebell dashboards`: the flags and the help; what it does is loaded when it is asked for. */
import type { Command } from 'commander';
import type { CliIo, ExitCode } from '../io.ts';
import { DEFAULT_DIR } from '../provision/command.ts';

export interface DashboardFlags {
  dir?: string;
  out: string;
  prune?: boolean;
}

/** Where a clone keeps what Grafana provisions. */
export const DEFAULT_OUT = 'provisioning/dashboards';

const HELP = `
For each package that the operator's files name: the dashboard that is made from its manifest, and those that it ships, one
file for each, <uid>.json. The same files give the same dashboards; a file that would not change is not written. Grafana reads
them when a provider names the folder (docs/operate.md, "Dashboards").

The operator's files: --dir, else NODEBELL_PROVISIONING_DIR, else ${DEFAULT_DIR}.

Exit codes:
  0  all is written
  1  the operator's files have mistakes, and nothing was written; or a file that is not Nodebell's was in the way
  2  a file could not be read or written, or the command itself was wrong
`;

export function addDashboards(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  program
    .command('dashboards')
    .description('Write the dashboards of provisioned packages as files for Grafana.')
    .option('--dir <folder>', "the folder of the operator's files")
    .option('--out <folder>', 'where to write', DEFAULT_OUT)
    .option('--prune', 'delete those that this command wrote before and that belong to no package any more')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', HELP)
    .action(async (flags: DashboardFlags) => {
      const { dashboards } = await import('./run.ts');
      end(await dashboards(flags, io));
    });
}
