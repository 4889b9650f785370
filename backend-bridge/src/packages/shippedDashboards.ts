/** Dashboards that a manifest names as the package's own (the real system's member `grafanaDashboards`). Pure. */
import type { PackageDashboard } from '../../contract/package.ts';
import type { RegisteredPackage } from './types.ts';

export function shippedDashboards({ dnpName, judged }: RegisteredPackage): PackageDashboard[] {
  return (judged.manifest?.grafanaDashboards ?? []).map(({ uid }) => ({ title: dnpName, uid, origin: 'package' }));
}
