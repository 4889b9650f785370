import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Facets } from '@nodebell/contract/query.ts';
import type { Loaded } from './loaded';
import { bannersQuery, countersQuery, groupsQuery, rowsQuery, totalsQuery, viewKey } from './queries';
import type { View } from './view';

export interface Shown {
  facets: Facets;
  loaded: Loaded;
  /** The view that they belong to: the one before, until both parts of the new one are here. */
  key: string;
}

/** Everything that the page asks of the bridge for a view. */
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
  const [last, setLast] = useState<Shown>();
  if (current && current !== last) {
    setLast(current);
  }

  const error = rows.error ?? groups.error ?? totals.error ?? undefined;
  return {
    shown: current ?? last,
    /** What is shown is what is asked for. */
    settled: current !== undefined,
    counters: counters.data,
    totals: totals.data,
    banners: banners.data ?? [],
    error,
    loadedAt: rows.dataUpdatedAt || undefined,
  };
}
