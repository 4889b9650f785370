/** Flags and help of `nodebell dashboards`; run.ts is loaded on demand. */
import type { Cli } from '../shared/command.ts';
import { DEFAULT_DIR } from '../shared/io.ts';
import type { DashboardFlags } from './run.ts';

/** Grafana's provisioning folder in the repository. */
export const DEFAULT_OUT = 'provisioning/dashboards';

const HELP = `
Writes the generated dashboard of each provisioned package and the dashboards it includes, one file <uid>.json each. The output
is deterministic; unchanged files are not written. Grafana reads them if a provider is configured for the folder
(docs/packages.md, "Dashboards").

Provisioning files are read from --dir, NODEBELL_PROVISIONING_DIR or ${DEFAULT_DIR}.

Exit codes:
  0  all dashboards are written
  1  errors in the provisioning files, nothing was written; or an existing file is not a dashboard of Nodebell
  2  a file could not be read or written, or the command is invalid
`;

export function addDashboards({ program, io, end }: Cli): void {
  program
    .command('dashboards')
    .description('Write the dashboards of provisioned packages as files for Grafana.')
    .option('--dir <folder>', 'folder of the provisioning files')
    .option('--out <folder>', 'output folder', DEFAULT_OUT)
    .option('--prune', 'delete dashboards of this command that no longer belong to a package')
    .addHelpText('after', HELP)
    .action(async (flags: DashboardFlags) => end(await (await import('./run.ts')).dashboards(flags, io)));
}
