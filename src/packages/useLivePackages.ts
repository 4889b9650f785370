import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useBridgeEvents } from '../api/EventsProvider';
import { throttle, useRetry } from '../components/timers';
import { packagesKey, recentKey } from './queries';

/** A provisioned directory can register hundreds of packages at once. */
const REFRESH_EVERY_MS = 500;

/**
 * Refetches packages when the bridge reports a change; polls every ten seconds while the event stream is disconnected.
 * @param failed whether the last request failed
 */
export function useLivePackages(failed: boolean) {
  const client = useQueryClient();
  const refresh = useMemo(
    () => throttle(() => void client.invalidateQueries({ queryKey: packagesKey }), REFRESH_EVERY_MS),
    [client]
  );
  useEffect(() => () => refresh.cancel(), [refresh]);
  const refreshRecent = useMemo(
    () => throttle(() => void client.invalidateQueries({ queryKey: recentKey }), REFRESH_EVERY_MS),
    [client]
  );
  useEffect(() => () => refreshRecent.cancel(), [refreshRecent]);
  const status = useBridgeEvents(({ type }) => {
    if (type === 'packages' || type === 'reset') {
      refresh();
    } else if (type !== 'hello' && type !== 'chain') {
      refreshRecent();
    }
  });
  // Refetch once after (re)connecting: changes before that were missed.
  useEffect(() => {
    if (status !== 'connecting') {
      refresh();
    }
  }, [status, refresh]);
  return { cut: status === 'cut', ...useRetry(failed || status === 'cut', refresh) };
}
