/** Which dashboards are written, when several packages ship the same. Pure. */
import { dashboardsOf } from '../../grafana/dashboards/dashboards.ts';
import type { FolderPackage } from '../../provisioning/loadFolder.ts';

export interface Chosen {
  uid: string;
  title: string;
  dashboard: Record<string, unknown>;
}

/**
 * Grafana has one dashboard for a uid: of several packages that ship it, the first by name has it.
 * @returns notes: sentences about those that are not written
 */
export function chooseDashboards(packages: readonly FolderPackage[]): { chosen: Chosen[]; notes: string[] } {
  /** By uid in lower case, since it becomes the name of a file. */
  const owners = new Map<string, string>();
  const chosen: Chosen[] = [];
  const notes: string[] = [];
  for (const { wanted, judged } of [...packages].sort((a, b) => (a.wanted.name < b.wanted.name ? -1 : 1))) {
    const { name } = wanted;
    for (const one of dashboardsOf({ dnpName: name, judged, dashboards: [...(wanted.dashboards ?? [])] })) {
      const owner = owners.get(one.uid.toLowerCase());
      if (one.problem !== undefined) {
        notes.push(`${name}: ${one.file} is left out. ${one.problem}`);
      } else if (one.dashboard !== undefined && owner !== undefined) {
        notes.push(`${name}: ${one.file} is left out. Its uid, ${one.uid}, is that of a dashboard of ${owner}.`);
      } else if (one.dashboard !== undefined) {
        owners.set(one.uid.toLowerCase(), name);
        chosen.push({ uid: one.uid, title: one.title, dashboard: one.dashboard });
      }
    }
  }
  return { chosen, notes };
}
