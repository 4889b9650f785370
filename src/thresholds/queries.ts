/** Queries of the thresholds page and panel. */
import { infiniteQueryOptions, queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { THRESHOLDS } from '@nodebell/contract/api/thresholds.ts';
import { call } from '../api/client';
import { useEffect, useMemo } from 'react';
import type { EndpointOverview } from '@nodebell/contract/endpoint.ts';
import { toBridgeError } from '../api/errors';
import { categoriesQuery } from '../api/notifications';
import { useLiveData } from '../components/liveData';
import { throttle } from '../components/timers';
import { dropPackage, putPackage } from './overview';

export const thresholdsKey = ['thresholds'] as const;

export const overviewQuery = () =>
  queryOptions({
    queryKey: [...thresholdsKey, 'overview'],
    queryFn: ({ signal }) => call(THRESHOLDS.listEndpoints, { signal }),
  });

/** One package, to be merged into the overview. Not cached, so that a response from before a change is never shown after it. */
export const packageQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...thresholdsKey, 'package', dnpName],
    queryFn: ({ signal }) => call(THRESHOLDS.packageEndpoints, { params: { dnpName }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Prometheus sends no events, so the history is refetched as often as a sample is added. */
const HISTORY_MS = 300_000;

/** @param threshold for which the alerts are counted */
export const historyQuery = (dnpName: string, correlationId: string, threshold: number) =>
  queryOptions({
    queryKey: [...thresholdsKey, 'history', dnpName, correlationId, threshold],
    queryFn: ({ signal }) =>
      call(THRESHOLDS.endpointHistory, { params: { dnpName, correlationId }, query: { threshold }, signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    refetchInterval: HISTORY_MS,
  });

const CHANGES = 100;

/** The change log. Refetched each time it is opened. */
export const changesQuery = () =>
  infiniteQueryOptions({
    queryKey: [...thresholdsKey, 'changes'],
    queryFn: ({ pageParam, signal }) =>
      call(THRESHOLDS.settingHistory, { query: { limit: CHANGES, before: pageParam }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < CHANGES ? undefined : page.at(-1)?.id),
    staleTime: 0,
    gcTime: 0,
  });

/** When a monitor recovers, hundreds of settings may be applied at once. */
const REFRESH_EVERY_MS = 300;
/** Above this many changed packages, one request for all of them is cheaper than one for each. */
const MANY = 5;

/**
 * Keeps the overview up to date: refetches the packages reported as changed by the stream, and polls every ten seconds while
 * the stream is down.
 * @param failed whether the last request failed
 */
export function useLiveThresholds(failed: boolean) {
  const client = useQueryClient();
  const refresh = useMemo(() => refresher(client), [client]);
  useEffect(() => refresh.cancel, [refresh]);

  return useLiveData(failed, refresh.all, (event) => {
    if (event.type === 'settings' && event.data.dnpName !== undefined) {
      refresh.one(event.data.dnpName);
    } else if (event.type === 'settings' || event.type === 'packages' || event.type === 'reset') {
      refresh.all();
    }
  });
}

/** Throttled refetch of single packages, or of all of them at once. */
function refresher(client: QueryClient) {
  const changed = new Set<string>();
  const all = throttle(() => reloadAll(client), REFRESH_EVERY_MS);
  const some = throttle(() => {
    const names = [...changed];
    changed.clear();
    if (names.length > MANY) {
      all();
    } else {
      names.forEach((name) => void reloadPackage(client, name));
    }
  }, REFRESH_EVERY_MS);
  return {
    all,
    one: (dnpName: string) => {
      changed.add(dnpName);
      some();
    },
    cancel: () => [all, some].forEach((timer) => timer.cancel()),
  };
}

function reloadAll(client: QueryClient) {
  void client.invalidateQueries({ queryKey: overviewQuery().queryKey });
  void client.invalidateQueries({ queryKey: categoriesQuery().queryKey });
}

async function reloadPackage(client: QueryClient, dnpName: string) {
  const put = (change: (overview: EndpointOverview) => EndpointOverview) =>
    client.setQueryData(overviewQuery().queryKey, (overview) => overview && change(overview));
  const query = packageQuery(dnpName);
  try {
    // A request already in flight predates the latest change.
    await client.cancelQueries({ queryKey: query.queryKey });
    const one = await client.query(query);
    put((overview) => putPackage(overview, one));
  } catch (thrown) {
    // Other errors surface with the next request for the overview.
    if (toBridgeError(thrown).kind === 'not-found') {
      put((overview) => dropPackage(overview, dnpName));
    }
  }
}
