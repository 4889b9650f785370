import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { useBridgeEvents } from '../api/EventsProvider';
import { throttle, useRetry } from '../components/timers';
import { changesOf, withEvent } from './loaded';
import { chainsQuery } from './queries';

const REFRESH_EVERY_MS = 500;

/**
 * Lays the news of nodes upon what is loaded; while the bridge cannot tell them, asks every ten seconds.
 * @param failed whether the last question was not answered
 * @param onChanged hears of nodes that are in another state than before
 */
export function useLiveChains(failed: boolean, onChanged?: (nodes: ChainNode[]) => void) {
  const client = useQueryClient();
  const refresh = useMemo(
    () => throttle(() => void client.invalidateQueries(chainsQuery()), REFRESH_EVERY_MS),
    [client]
  );
  useEffect(() => () => refresh.cancel(), [refresh]);
  const status = useBridgeEvents(({ type, data }) => {
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
  // These events are not kept: what happened before the stream was open, or while it was cut, has to be asked for.
  useEffect(() => {
    if (status !== 'connecting') {
      refresh();
    }
  }, [status, refresh]);
  return { status, cut: status === 'cut', ...useRetry(failed || status === 'cut', refresh) };
}
