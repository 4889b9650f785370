import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useBridgeEvents } from '../api/EventsProvider';
import { throttle, useRetry } from '../components/timers';
import { packagesKey, recentKey } from './queries';

/** A provisioned folder may bring five hundred packages at once. */
const REFRESH_EVERY_MS = 500;

/**
 * Asks again when the bridge says that packages have changed; while it cannot say so, every ten seconds.
 * @param failed whether the last question was not answered
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
  // What happened between the first load and the opening of the stream, or while it was cut, is asked for once.
  useEffect(() => {
    if (status !== 'connecting') {
      refresh();
    }
  }, [status, refresh]);
  return { cut: status === 'cut', ...useRetry(failed || status === 'cut', refresh) };
}
