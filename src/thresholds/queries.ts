/** What the thresholds pages ask the bridge for, and under which key it is kept. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { getEndpoints, listEndpoints } from '../api/endpoints';
import { getEndpointHistory } from '../api/history';
import { listChanges } from '../api/thresholdSettings';

export const thresholdsKey = ['thresholds'] as const;

export const overviewQuery = () =>
  queryOptions({ queryKey: [...thresholdsKey, 'overview'], queryFn: ({ signal }) => listEndpoints(signal) });

/** One package, to be put into the overview; what was asked for before a change is never shown after it. */
export const packageQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...thresholdsKey, 'package', dnpName],
    queryFn: ({ signal }) => getEndpoints(dnpName, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** Prometheus tells of no event, so what it knows is asked for again, as often as a point is added to the line. */
const HISTORY_MS = 300_000;

/** @param threshold that is counted with */
export const historyQuery = (dnpName: string, correlationId: string, threshold: number) =>
  queryOptions({
    queryKey: [...thresholdsKey, 'history', dnpName, correlationId, threshold],
    queryFn: ({ signal }) => getEndpointHistory(dnpName, correlationId, threshold, signal),
    staleTime: 60_000,
    gcTime: 60_000,
    refetchInterval: HISTORY_MS,
  });

const CHANGES = 100;

/** Who has set what. Asked for anew each time that somebody looks. */
export const changesQuery = () =>
  infiniteQueryOptions({
    queryKey: [...thresholdsKey, 'changes'],
    queryFn: ({ pageParam, signal }) => listChanges(CHANGES, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < CHANGES ? undefined : page.at(-1)?.id),
    staleTime: 0,
    gcTime: 0,
  });
