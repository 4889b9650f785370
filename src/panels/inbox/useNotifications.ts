import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useBridgeEvents } from '../../api/EventsProvider';
import { listNotifications } from '../../api/notifications';
import { packagesKey } from '../../packages/queries';
import { throttle, useRetry } from '../../components/timers';
import type { Asked } from './asked';

const KEY = ['inbox-panel'] as const;
/** A storm of a thousand events a second is not asked about a thousand times. */
const REFRESH_EVERY_MS = 500;

const notificationsQuery = ({ open, others }: Asked, limit: number) =>
  queryOptions({
    queryKey: [...KEY, open, others, limit],
    queryFn: async ({ signal }) => {
      const first = await listNotifications({ ...open, latest: 'true' }, limit, signal);
      const left = limit - first.length;
      return others && left > 0
        ? [...first, ...(await listNotifications({ ...others, latest: 'true' }, left, signal))]
        : first;
    },
    // A dashboard that refreshes itself moves its time range each time, and so asks something new.
    placeholderData: (before) => before,
    gcTime: 0,
  });

/** Newest members of threads, open ones first, kept in step with the bridge. */
export function useNotifications(asked: Asked, limit: number) {
  const client = useQueryClient();
  const { data, error } = useQuery(notificationsQuery(asked, limit));
  const refresh = useMemo(
    () => throttle(() => void client.invalidateQueries({ queryKey: KEY }), REFRESH_EVERY_MS),
    [client]
  );
  useEffect(() => () => refresh.cancel(), [refresh]);
  const status = useBridgeEvents(({ type }) => {
    if (type === 'packages') {
      void client.invalidateQueries({ queryKey: packagesKey }); // their icons
    } else if (type !== 'hello' && type !== 'chain') {
      refresh();
    }
  });
  // What happened between the first load and the opening of the stream, or while it was cut, is asked for once.
  useEffect(() => {
    if (status !== 'connecting') {
      refresh();
    }
  }, [status, refresh]);
  return { data, error, ...useRetry(error !== null || status === 'cut', refresh) };
}
