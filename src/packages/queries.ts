/** Queries of the packages pages. */
import { queryOptions } from '@tanstack/react-query';
import { listNotifications } from '../api/notifications';
import { findDashboard, type DashboardPresence } from '../api/grafana';
import { getPackage, getPackageFiles, listDashboards, listPackages } from '../api/packages';

export const packagesKey = ['packages'] as const;

export const recentKey = [...packagesKey, 'recent'] as const;

export const packagesQuery = () =>
  queryOptions({ queryKey: [...packagesKey, 'list'], queryFn: ({ signal }) => listPackages(signal) });

export const packageQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...packagesKey, 'detail', dnpName],
    queryFn: ({ signal }) => getPackage(dnpName, signal),
  });

export const packageFilesQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...packagesKey, 'files', dnpName],
    queryFn: ({ signal }) => getPackageFiles(dnpName, signal),
  });

/** Newest first, not grouped by thread: this is a log of what the package sent. */
export const recentQuery = (dnpName: string, limit: number) =>
  queryOptions({
    queryKey: [...recentKey, dnpName, limit],
    queryFn: ({ signal }) => listNotifications({ dnpName: [dnpName], muted: 'all' }, limit, signal),
  });

export const dashboardsQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...packagesKey, 'dashboards', dnpName],
    queryFn: ({ signal }) => listDashboards(dnpName, signal),
  });

/** Whether a dashboard exists in Grafana. Grafana publishes no event for it, so it is always refetched. */
export const presenceQuery = (uid: string) =>
  queryOptions<DashboardPresence, Error>({
    queryKey: ['grafana', 'dashboard', uid],
    queryFn: () => findDashboard(uid),
    staleTime: 0,
  });
