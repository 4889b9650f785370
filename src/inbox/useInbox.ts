import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Facets } from '@nodebell/contract/query.ts';
import type { Loaded } from './loaded';
import {
  alertQuery,
  bannersQuery,
  countersQuery,
  groupsQuery,
  rowsKey,
  rowsQuery,
  totalsQuery,
  viewKey,
  detailQuery,
} from './queries';
import { type View, readView, writeView } from './view';
import type { Notification } from '@nodebell/contract/notification.ts';
import { useSearchParams } from 'react-router-dom';

interface Shown {
  facets: Facets;
  loaded: Loaded;
  /** The view of these rows: the previous view until the new one is loaded. */
  key: string;
}

/** All queries of the page for a view. */
export function useInbox(view: View) {
  const rows = useQuery(rowsQuery(view));
  const groups = useQuery(groupsQuery(view));
  const counters = useQuery(countersQuery(view));
  const totals = useQuery(totalsQuery());
  const banners = useQuery(bannersQuery());

  const key = viewKey(view);
  const ready = rows.data && groups.data && !rows.isPlaceholderData && !groups.isPlaceholderData;
  const current = useMemo<Shown | undefined>(
    () => (ready ? { facets: groups.data, loaded: rows.data, key } : undefined),
    [ready, groups.data, rows.data, key]
  );
  const before = useBefore(view, current !== undefined);

  const error = rows.error ?? groups.error ?? totals.error ?? undefined;
  return {
    shown: current ?? before(),
    /** The rows on the screen belong to the current view. */
    settled: current !== undefined,
    counters: counters.data,
    totals: totals.data,
    banners: banners.data ?? [],
    error,
    loadedAt: rows.dataUpdatedAt || undefined,
  };
}

/** The previous view. Its rows are still in the query cache. */
function useBefore(view: View, shown: boolean): () => Shown | undefined {
  const client = useQueryClient();
  const [last, setLast] = useState(view);
  if (shown && view !== last) {
    setLast(view);
  }
  return () => {
    const facets = client.getQueryData<Facets>(groupsQuery(last).queryKey);
    const loaded = client.getQueryData<Loaded>(rowsKey(last));
    return facets && loaded && { facets, loaded, key: viewKey(last) };
  };
}

/**
 * The notification whose detail is shown.
 * @param row the row of the list, shown until the bridge has responded
 */
export function useDetail(id: number | undefined, row: Notification | undefined) {
  const { data, error, refetch } = useQuery({
    ...detailQuery(id ?? 0),
    enabled: id !== undefined,
  });
  const gone = error?.kind === 'not-found';
  // Also while it cannot be loaded.
  const detail = data ?? (row && { ...row, members: [] });
  return id === undefined
    ? { detail: undefined, gone: false, failure: undefined }
    : {
        detail,
        gone,
        /** Why nothing is shown. */
        failure: error && !gone && !detail ? { error, retry: () => void refetch() } : undefined,
      };
}

/** Searches for the notification of the alert that the URL names, and opens it. */
export function useAlertLink({ alert }: View, setView: SetView) {
  const { data, error, refetch } = useQuery({ ...alertQuery(alert ?? {}), enabled: alert !== undefined });
  const id = alert && data?.notification?.id;
  useEffect(() => {
    if (id !== undefined) {
      setView({ id });
    }
  }, [id, setView]);
  return {
    /** There is none. */
    absent: alert !== undefined && data?.notification === null,
    failure: alert && error ? { error, retry: () => void refetch() } : undefined,
  };
}

export type SetView = (change: Partial<View>, how?: { push?: boolean }) => void;

/** The view, kept in the URL. */
export function useView(): [View, SetView] {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  const view = useMemo(() => readView(new URLSearchParams(text)), [text]);
  const setView = useCallback<SetView>(
    // Any change ends the search for an alert.
    (change, how) =>
      setSearch((now) => writeView({ ...readView(now), alert: undefined, ...change }), { replace: !how?.push }),
    [setSearch]
  );
  return [view, setView];
}
