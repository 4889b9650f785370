/** Queries of the chains page and panel. */
import { queryOptions } from '@tanstack/react-query';
import { listChains } from '../api/chains';
import { getChainHistory } from '../api/history';
import { toLoaded } from './loaded';

export const chainsKey = ['chains'] as const;

export const chainsQuery = () =>
  queryOptions({
    queryKey: chainsKey,
    queryFn: async ({ signal }) => toLoaded(await listChains(signal), Date.now()),
  });

/** History of blocks behind; refetched as often as a sample is added. */
export const chainHistoryQuery = (dnpName: string) =>
  queryOptions({
    queryKey: ['chain-history', dnpName],
    queryFn: ({ signal }) => getChainHistory(dnpName, signal),
    staleTime: 60_000,
    refetchInterval: 300_000,
  });
