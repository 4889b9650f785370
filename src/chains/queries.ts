/** Queries of the chains page and panel. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { CHAINS } from '@nodebell/contract/api/chains.ts';
import { call } from '../api/client';
import { toLoaded, changesOf, withEvent } from './loaded';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { useLiveData, useRefresh } from '../components/liveData';

const chainsKey = ['chains'] as const;

export const chainsQuery = () =>
  queryOptions({
    queryKey: chainsKey,
    queryFn: async ({ signal }) => toLoaded(await call(CHAINS.listChains, { signal }), Date.now()),
  });

/** History of blocks behind; refetched as often as a sample is added. */
export const chainHistoryQuery = (dnpName: string) =>
  queryOptions({
    queryKey: ['chain-history', dnpName],
    queryFn: ({ signal }) => call(CHAINS.chainHistory, { params: { dnpName }, signal }),
    staleTime: 60_000,
    refetchInterval: 300_000,
  });

const REFRESH_EVERY_MS = 500;

/**
 * Applies stream events to the loaded nodes; polls every ten seconds while the stream is down.
 * @param failed whether the last request failed
 * @param onChanged called with the nodes whose state has changed
 */
export function useLiveChains(failed: boolean, onChanged?: (nodes: ChainNode[]) => void) {
  const client = useQueryClient();
  const refresh = useRefresh(chainsKey, REFRESH_EVERY_MS);
  // The stream does not replay chain events.
  return useLiveData(failed, refresh, ({ type, data }) => {
    const { queryKey } = chainsQuery();
    const loaded = client.getQueryData(queryKey);
    if (type === 'reset') {
      refresh();
    } else if (type === 'chain' && loaded) {
      const changed = changesOf(loaded, data);
      client.setQueryData(queryKey, withEvent(loaded, data, Date.now()));
      if (changed.length > 0) {
        onChanged?.(changed);
      }
    }
  });
}
