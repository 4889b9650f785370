/** Queries of the page and their cache keys. */
import { rangeUtil } from '@grafana/data';
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { exportAddress, findOrigin, getFacets, getNotification, listNotifications } from '../api/notifications';
import { searchOf } from '@nodebell/contract/operation.ts';
import type { BridgeFilter, FacetsFilter } from '../api/query';
import { counterFilter, partFilter, partsOf, rowsFilter, wholeFilter, type ResolveRange } from './filter';
import { onlyGroup } from './grouping';
import { firstLoad, reload, type Loaded } from './loaded';
import { addFirstPage, addPage, nextPage, noRows, type GroupCounts, type Rows } from './rows';
import { type AlertLink, EMPTY_VIEW, showsThreads, writeView, type View } from './view';

/** Rows of the first page of each part, over all categories. */
const FIRST_PAGE = 100;
/** Rows of each further page of one group. */
const NEXT_PAGE = 50;

/** Both ends of a range as timestamps. A range that ends now has no end, so that later arrivals match. */
export const resolveRange: ResolveRange = (range) => {
  const { from, to } = rangeUtil.convertRawToRange(range);
  return { from: from.toISOString(), to: range.to === 'now' ? '' : to.toISOString() };
};

/** The range as it was typed, so that the key of a relative range stays the same. */
const asTyped: ResolveRange = (range) => range;

function facetsQuery(filter: (resolve: ResolveRange) => FacetsFilter) {
  return queryOptions({
    queryKey: ['inbox', 'facets', searchOf({ ...filter(asTyped) })],
    queryFn: ({ signal }) => getFacets(filter(resolveRange), signal),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    staleTime: 0,
  });
}

/** Groups and counts of what the view shows. */
export const groupsQuery = (view: View) =>
  facetsQuery((resolve) => ({ ...wholeFilter(view, resolve), groupBy: view.groupBy || undefined }));
/** Counts for the tabs: the filters without the tab. */
export const countersQuery = (view: View) => facetsQuery((resolve) => counterFilter(view, resolve));
/** Counts of the whole inbox. */
export const totalsQuery = () => countersQuery(EMPTY_VIEW);

/** Identifies the content of a view, independent of the open notification. */
export const viewKey = (view: View) => writeView({ ...view, id: undefined, alert: undefined }).toString();

/** Address of a file with what the view shows. */
export const csvAddress = (view: View): string => exportAddress(wholeFilter(view, resolveRange), 'csv');

export const rowsKey = (view: View) => ['inbox', 'rows', viewKey(view)] as const;

/** The rows of a view. A reload does not move rows on the screen. */
export function rowsQuery(view: View) {
  return queryOptions({
    queryKey: rowsKey(view),
    queryFn: async ({ signal, client, queryKey }): Promise<Loaded> => {
      const since = client.getQueryData<Loaded>(queryKey)?.lastId ?? 0;
      const rows = await loadRows(view, signal);
      const before = client.getQueryData<Loaded>(queryKey);
      return before ? reload(before, rows, since) : firstLoad(rows);
    },
    placeholderData: keepPreviousData,
    // A view that is opened again is reloaded, in the current order.
    gcTime: 0,
    structuralSharing: false,
  });
}

async function loadRows(view: View, signal: AbortSignal): Promise<Rows> {
  const whole = rowsFilter(view, resolveRange);
  const parts = partsOf(view);
  const pages = await Promise.all(parts.map((part) => listNotifications(partFilter(whole, part), FIRST_PAGE, signal)));
  return parts.reduce(
    (rows, part, index) => addFirstPage(rows, part, pages[index] ?? [], FIRST_PAGE),
    noRows(parts, showsThreads(view), view.groupBy)
  );
}

/** Loads the next rows of one group into the list. */
export async function loadMore(client: QueryClient, view: View, group: GroupCounts): Promise<void> {
  const key = rowsKey(view);
  const before = client.getQueryData<Loaded>(key);
  const next = before && nextPage(before.rows, group);
  if (!next) {
    return;
  }
  const only = rowsFilter({ ...view, ...onlyGroup(view, group) }, resolveRange);
  const filter = { ...partFilter(only, next.part), untilId: next.untilId };
  const page = await listNotifications(filter, NEXT_PAGE);
  client.setQueryData<Loaded>(
    key,
    (loaded) => loaded && { ...loaded, rows: addPage(loaded.rows, group.value, next.part, page, NEXT_PAGE) }
  );
}

export const detailKey = ['inbox', 'detail'] as const;

export const detailQuery = (id: number) =>
  queryOptions({
    queryKey: [...detailKey, id],
    queryFn: ({ signal }) => getNotification(id, signal),
    gcTime: 60_000,
    staleTime: 0,
  });

/** The notification of an alert, searched again with each arrival. */
export const alertQuery = (alert: AlertLink) =>
  queryOptions({
    queryKey: ['inbox', 'alert', alert],
    queryFn: ({ signal }) => findOrigin(alert, signal),
    gcTime: 0,
    staleTime: 0,
  });

const MONTH_MS = 31 * 24 * 3600 * 1000;

/** Threads with a banner. */
export const BANNERS: BridgeFilter = {
  latest: 'true',
  isBanner: 'true',
  read: 'false',
  acknowledged: 'false',
  status: ['triggered'],
};

/** The banners, one for each burst: newest member of its thread, triggered, unread, less than a month old. */
export const bannersQuery = () =>
  queryOptions({
    queryKey: ['inbox', 'banners'],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - MONTH_MS).toISOString();
      return listNotifications({ ...BANNERS, from, bursts: 'collapsed' }, 100, signal);
    },
    staleTime: 0,
  });
