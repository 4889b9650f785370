import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { getFacets, listNotifications } from '../../api/notifications';
import { packagesKey } from '../../api/packages';
import type { BridgeFilter } from '../../api/query';
import { useLiveData, useRefresh } from '../../components/liveData';

/** Open threads come first. Each filter needs its own request, because a response has one order only. */
export interface ListFilters {
  open: BridgeFilter;
  /** Undefined where only open threads are shown. */
  others: BridgeFilter | undefined;
}

const KEY = ['compact-inbox'] as const;
/** Limits requests during bursts of events. */
const REFRESH_EVERY_MS = 500;

/** One row for each thread or burst. */
const ROWS = { latest: 'true', bursts: 'collapsed' } as const;

const notificationsQuery = ({ open, others }: ListFilters, limit: number) =>
  queryOptions({
    queryKey: [...KEY, open, others, limit],
    queryFn: async ({ signal }) => {
      const first = await listNotifications({ ...open, ...ROWS }, limit, signal);
      const left = limit - first.length;
      return others && left > 0
        ? [...first, ...(await listNotifications({ ...others, ...ROWS }, left, signal))]
        : first;
    },
    // Each auto-refresh of a dashboard moves its time range and thus changes the query.
    placeholderData: (before) => before,
    gcTime: 0,
  });

/** The newest notification of each thread or burst, open ones first, kept in sync with the bridge. */
export function useNotifications(filters: ListFilters, limit: number) {
  const { data, error } = useQuery(notificationsQuery(filters, limit));
  return { data, error, ...useLive(error !== null) };
}

/** The number of unread threads, kept in sync with the bridge. */
export function useUnreadCount(filter: BridgeFilter) {
  const { data, error } = useQuery({
    queryKey: [...KEY, 'unread', filter],
    queryFn: ({ signal }) => getFacets({ ...filter, latest: 'true' }, signal),
  });
  useLive(error !== null);
  return { unread: data?.unseen, error };
}

/** Refetches on events, and retries after an error. */
function useLive(failed: boolean) {
  const client = useQueryClient();
  const refresh = useRefresh(KEY, REFRESH_EVERY_MS);
  return useLiveData(failed, refresh, ({ type }) => {
    if (type === 'packages') {
      void client.invalidateQueries({ queryKey: packagesKey }); // their icons
    } else if (type !== 'hello' && type !== 'chain') {
      refresh();
    }
  });
}
