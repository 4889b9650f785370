/** Queries of the thresholds page and panel. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { getEndpoints, listEndpoints } from '../api/endpoints';
import { getEndpointHistory } from '../api/history';
import { listChanges } from '../api/thresholdSettings';

export const thresholdsKey = ['thresholds'] as const;

export const overviewQuery = () =>
  queryOptions({ queryKey: [...thresholdsKey, 'overview'], queryFn: ({ signal }) => listEndpoints(signal) });

/** One package, to be merged into the overview. Not cached, so that a response from before a change is never shown after it. */
export const packageQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...thresholdsKey, 'package', dnpName],
    queryFn: ({ signal }) => getEndpoints(dnpName, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** Prometheus sends no events, so the history is refetched as often as a sample is added. */
const HISTORY_MS = 300_000;

/** @param threshold for which the alerts are counted */
export const historyQuery = (dnpName: string, correlationId: string, threshold: number) =>
  queryOptions({
    queryKey: [...thresholdsKey, 'history', dnpName, correlationId, threshold],
    queryFn: ({ signal }) => getEndpointHistory(dnpName, correlationId, threshold, signal),
    staleTime: 60_000,
    gcTime: 60_000,
    refetchInterval: HISTORY_MS,
  });

const CHANGES = 100;

/** The change log. Refetched each time it is opened. */
export const changesQuery = () =>
  infiniteQueryOptions({
    queryKey: [...thresholdsKey, 'changes'],
    queryFn: ({ pageParam, signal }) => listChanges(CHANGES, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < CHANGES ? undefined : page.at(-1)?.id),
    staleTime: 0,
    gcTime: 0,
  });
