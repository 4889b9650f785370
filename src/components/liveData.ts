/** Keeps loaded data up to date. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useBridgeEvents } from '../api/EventsProvider';
import { throttle, type Throttled, useRetry } from './timers';

/** Refetches the queries with this key, at most once per interval. */
export function useRefresh(queryKey: QueryKey, everyMs: number): Throttled {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  const refresh = useMemo(
    () => throttle(() => void client.invalidateQueries({ queryKey: JSON.parse(key) as QueryKey }), everyMs),
    [client, key, everyMs]
  );
  useEffect(() => () => refresh.cancel(), [refresh]);
  return refresh;
}

/**
 * Handles events of the bridge. Refetches when the stream opens or is cut, since changes before that were missed, and polls every ten
 * seconds while it is down.
 * @param failed whether the last request failed
 */
export function useLiveData(failed: boolean, refresh: () => void, onEvent: Parameters<typeof useBridgeEvents>[0]) {
  const status = useBridgeEvents(onEvent);
  useEffect(() => {
    if (status !== 'connecting') {
      refresh();
    }
  }, [status, refresh]);
  return { status, cut: status === 'cut', ...useRetry(failed || status === 'cut', refresh) };
}
