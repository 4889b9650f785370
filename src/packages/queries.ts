/** Queries of the packages pages. */
import { queryOptions } from '@tanstack/react-query';
import { listNotifications } from '../api/notifications';
import { findDashboard, type DashboardPresence } from '../api/grafana';
import { PACKAGES } from '@nodebell/contract/api/packages.ts';
import { call } from '../api/client';
import { packagesKey } from '../api/packages';
import { useLiveData, useRefresh } from '../components/liveData';
import type { PackageSummary } from '@nodebell/contract/package.ts';

const recentKey = [...packagesKey, 'recent'] as const;

export const packageQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...packagesKey, 'detail', dnpName],
    queryFn: ({ signal }) => call(PACKAGES.getPackage, { params: { dnpName }, signal }),
  });

/** Only for those who may change packages. */
export const packageFilesQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...packagesKey, 'files', dnpName],
    queryFn: ({ signal }) => call(PACKAGES.getPackageFiles, { params: { dnpName }, signal }),
  });

/** The newest notification of each thread, newest first. Threads hold no muted notifications, so these are requested as well. */
export const recentQuery = (dnpName: string, limit: number) =>
  queryOptions({
    queryKey: [...recentKey, dnpName, limit],
    queryFn: async ({ signal }) => {
      const [threads, muted] = await Promise.all([
        listNotifications({ dnpName: [dnpName], latest: 'true' }, limit, signal),
        listNotifications({ dnpName: [dnpName], muted: 'true' }, limit, signal),
      ]);
      const newestFirst = [...threads, ...muted].sort((a, b) => b.id - a.id);
      return newestFirst
        .filter((one, at) => newestFirst.findIndex(({ correlationId }) => correlationId === one.correlationId) === at)
        .slice(0, limit);
    },
  });

export const dashboardsQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...packagesKey, 'dashboards', dnpName],
    queryFn: ({ signal }) => call(PACKAGES.listDashboards, { params: { dnpName }, signal }),
  });

/** Whether a dashboard exists in Grafana. Grafana publishes no event for it, so it is always refetched. */
export const presenceQuery = (uid: string) =>
  queryOptions<DashboardPresence, Error>({
    queryKey: ['grafana', 'dashboard', uid],
    queryFn: () => findDashboard(uid),
    staleTime: 0,
  });

/** A provisioned directory can register hundreds of packages at once. */
const REFRESH_EVERY_MS = 500;

/**
 * Refetches packages when the bridge reports a change; polls every ten seconds while the event stream is disconnected.
 * @param failed whether the last request failed
 */
export function useLivePackages(failed: boolean) {
  const refresh = useRefresh(packagesKey, REFRESH_EVERY_MS);
  const refreshRecent = useRefresh(recentKey, REFRESH_EVERY_MS);
  return useLiveData(failed, refresh, ({ type }) => {
    if (type === 'packages' || type === 'reset') {
      refresh();
    } else if (type !== 'hello' && type !== 'chain') {
      refreshRecent();
    }
  });
}

/**
 * Settings of a panel option that selects packages: registered ones or custom names.
 * @param isOffered filters the suggested packages; default: all
 */
export const packageChoices = (isOffered: (pkg: PackageSummary) => boolean = () => true) => ({
  options: [],
  allowCustomValue: true,
  getOptions: async () =>
    (await call(PACKAGES.listPackages, {}))
      .filter(isOffered)
      .map(({ dnpName }) => ({ value: dnpName, label: dnpName })),
});
