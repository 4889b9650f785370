/** The dashboards of a package: the one that is made from its manifest, those that it ships, and those that it names. */
import type { DashboardFile } from '../../../contract/dashboard.ts';
import type { Manifest } from '../../validation/manifest/validateManifest.ts';
import type { DashboardsOf, RegisteredPackage } from '../registry/types.ts';
import { generateDashboard } from './generate.ts';
import { readShipped } from './shipped.ts';
import { UID } from './uid.ts';

type Source = Pick<RegisteredPackage, 'dnpName' | 'validated' | 'dashboards'>;

/** The generated one first, then those of the package in the order of its files. Pure. */
export function dashboardsOf(registered: Source): DashboardFile[] {
  const own = [...shipped(registered)];
  own.push(...named(registered.validated.manifest, own));
  const { facts } = registered.validated;
  if (facts === undefined) {
    return own;
  }
  const dashboard = generateDashboard(
    facts,
    registered.validated,
    own.filter(({ problem }) => problem === undefined)
  );
  const made: DashboardFile = {
    title: dashboard.title ?? registered.dnpName,
    uid: dashboard.uid ?? '',
    origin: 'generated',
    // Without members that are undefined, as it will be sent.
    dashboard: JSON.parse(JSON.stringify(dashboard)) as Record<string, unknown>,
  };
  return [made, ...own];
}

/** For a card: dashboards that can be opened. */
export const dashboardCards: DashboardsOf = (registered) =>
  dashboardsOf(registered).flatMap(({ title, uid, origin, problem }) =>
    problem === undefined ? [{ title, uid, origin }] : []
  );

function shipped({ dnpName, dashboards }: Source): DashboardFile[] {
  return dashboards.map((file) => {
    const read = readShipped(dnpName, file);
    return 'problem' in read
      ? { title: file.path, uid: '', origin: 'package', file: file.path, problem: read.problem }
      : { ...read, origin: 'package', file: file.path };
  });
}

/** `grafanaDashboards` names dashboards by their uid; who has them is not said. */
function named(manifest: Manifest | undefined, shippedOnes: DashboardFile[]): DashboardFile[] {
  const uids: unknown[] = Array.isArray(manifest?.grafanaDashboards)
    ? manifest.grafanaDashboards.map((one: { uid?: unknown } | null) => one?.uid)
    : [];
  const known = new Set(shippedOnes.map(({ uid }) => uid));
  return [...new Set(uids)].flatMap((uid) =>
    typeof uid === 'string' && UID.test(uid) && !known.has(uid) ? [{ title: uid, uid, origin: 'package' as const }] : []
  );
}
