import { hashKey, notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { BridgeEvent } from '@nodebell/contract/event.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { useBridgeEvents } from '../api/EventsProvider';
import { getNotification } from '../api/notifications';
import type { StreamStatus } from '../api/stream';
import { belongs, needsReload } from './filter';
import { countArrival } from './flat';
import {
  arrive,
  deletedElsewhere,
  letIn,
  readElsewhere,
  respondedElsewhere,
  seenElsewhere,
  type Loaded,
} from './loaded';
import { bannersQuery, countersQuery, detailKey, groupsQuery, rowsKey, totalsQuery, resolveRange } from './queries';
import { packagesKey } from '../api/packages';
import { throttle } from '../components/timers';
import { collapses, showsThreads, type View } from './view';
import { useLatest } from '../components/useLatest';

type Arrival = Extract<BridgeEvent, { type: 'notification' }>['data']['notification'];

interface Options {
  view: View;
  /** Whether the list may change right now. */
  mayMove: () => boolean;
  onArrival: (notification: Arrival) => void;
}

/** Limits count requests during bursts of events. */
const COUNT_EVERY_MS = 500;

/** Keeps the loaded data in sync with the bridge. */
export function useLive({ view, mayMove, onArrival }: Options): {
  status: StreamStatus;
  showWaiting: () => void;
  refresh: () => void;
} {
  const client = useQueryClient();
  const patch = useCallback(
    (change: (loaded: Loaded) => Loaded) =>
      client.setQueryData<Loaded>(rowsKey(view), (loaded) => loaded && change(loaded)),
    [client, view]
  );
  const reloads = useReloads(client);
  const { recount, reloadAll } = reloads;
  const delay = useDelay();
  // Arrivals found by a reload are pending like those of events.
  useRowsLoad(view, () => {
    const waiting = client.getQueryData<Loaded>(rowsKey(view))?.waiting ?? [];
    if (waiting.length > 0 && mayMove()) {
      patch(letIn);
    }
  });
  const onNotification = (notification: Arrival) => {
    const belongsHere = belongs(notification, view, resolveRange);
    notifyManager.batch(() => {
      estimateCounts(client, view, notification);
      patch((loaded) => arrive(loaded, notification, belongsHere, collapses(view)));
      if (belongsHere && mayMove()) {
        patch(letIn);
      }
    });
    void client.invalidateQueries({ queryKey: detailKey });
    // Threads that were rows of their own may have joined the burst.
    if (needsReload(notification, view) || (collapses(view) && notification.thread.burst)) {
      reloadAll();
    }
    if (notification.isBanner || notification.status === 'resolved') {
      void client.invalidateQueries({ queryKey: bannersQuery().queryKey });
    }
    delay(recount);
    onArrival(notification);
  };

  const status = useBridgeEvents((event) =>
    event.type === 'notification'
      ? onNotification(event.data.notification)
      : applyChange(event, { client, patch, ...reloads })
  );

  // Loads what was missed before the stream opened or while it was down. While it is down, the request also shows whether
  // the bridge is reachable.
  useEffect(() => {
    if (status !== 'connecting') {
      reloadAll();
    }
  }, [status, reloadAll]);
  useReturn(reloadAll);

  return { status, showWaiting: () => patch(letIn), refresh: reloadAll };
}

interface Changed extends Pick<ReturnType<typeof useReloads>, 'reloadAll' | 'reloadSilences'> {
  client: QueryClient;
  patch: (change: (loaded: Loaded) => Loaded) => unknown;
}

/** Applies an event other than an arrival. */
function applyChange(
  { type, data }: Exclude<BridgeEvent, { type: 'notification' }>,
  { client, patch, reloadAll, reloadSilences }: Changed
): void {
  switch (type) {
    case 'seen':
      patch((loaded) => seenElsewhere(loaded, data.ids ?? [], data.seen));
      return reloadAll();
    case 'read':
      patch((loaded) => readElsewhere(loaded, data.ids ?? [], data.read));
      return reloadAll();
    case 'responded':
      void refreshRows(data.ids ?? [], patch);
      reloadSilences();
      return reloadAll();
    case 'deleted':
      patch((loaded) => deletedElsewhere(loaded, data.ids ?? []));
      return reloadAll();
    case 'hello':
    case 'chain':
      return;
    case 'packages': // their icons
      return void client.invalidateQueries({ queryKey: packagesKey });
    case 'restored':
    case 'settings':
    case 'reset':
      return reloadAll();
  }
}

/** Requests what has changed, at most twice a second. */
function useReloads(client: QueryClient) {
  const reloads = useMemo(() => {
    const reload = (...subjects: string[]) => throttle(() => refetch(client, ...subjects), COUNT_EVERY_MS);
    return {
      recount: reload('facets', 'banners', 'alert'),
      reloadAll: reload('facets', 'banners', 'rows', 'categories', 'detail', 'alert'),
      reloadSilences: reload('silences'),
    };
  }, [client]);
  useEffect(() => () => Object.values(reloads).forEach((timer) => timer.cancel()), [reloads]);
  return reloads;
}

/** Called when the rows of a view were loaded, but not when they were only updated in the cache. */
function useRowsLoad(view: View, onLoad: () => void): void {
  const client = useQueryClient();
  const latest = useLatest(onLoad);
  useEffect(() => {
    const hash = hashKey(rowsKey(view));
    return client.getQueryCache().subscribe((event) => {
      const loaded = event.type === 'updated' && event.action.type === 'success' && !event.action.manual;
      if (loaded && event.query.queryHash === hash) {
        latest.current();
      }
    });
  }, [client, view, latest]);
}

/** Shows estimated counts immediately; the tabs of a browser request the exact ones shortly after, at different times. */
const COUNT_AFTER_MS = 300;

function useDelay(): (run: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback((run) => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        run();
      },
      COUNT_AFTER_MS * (1 + Math.random())
    );
  }, []);
}

function refetch(client: QueryClient, ...subjects: string[]) {
  subjects.forEach((subject) => void client.invalidateQueries({ queryKey: ['inbox', subject] }));
}

/** Threads whose response is loaded at once; of more, rows outside of the first page are reloaded when they are opened. */
const MOST_REFRESHED = 10;

/** A reload covers the first page; these may be further down. */
async function refreshRows(ids: readonly number[], patch: (change: (loaded: Loaded) => Loaded) => unknown) {
  for (const id of ids.slice(0, MOST_REFRESHED)) {
    const detail = await getNotification(id).catch(() => undefined);
    if (detail) {
      patch((loaded) => respondedElsewhere(loaded, detail));
    }
  }
}

/** A new group needs its header together with its first row, before the exact counts are loaded. */
function estimateCounts(client: QueryClient, view: View, notification: Arrival) {
  const estimate = (key: readonly unknown[], threads: boolean) =>
    client.setQueryData<Facets>(key, (facets) => facets && countArrival(facets, notification, threads, view.groupBy));
  const keys = new Map(
    [groupsQuery(view), countersQuery(view)].map(({ queryKey }) => [JSON.stringify(queryKey), queryKey])
  );
  if (belongs(notification, view, resolveRange)) {
    keys.forEach((key) => estimate(key, showsThreads(view)));
  }
  const totals = totalsQuery().queryKey;
  if (!keys.has(JSON.stringify(totals)) && !notification.muted && notification.errors === undefined) {
    estimate(totals, true);
  }
}

const LONG_AWAY_MS = 60_000;

/** A tab that was hidden for long may have been suspended and lost its connection unnoticed. */
function useReturn(refresh: () => void) {
  useEffect(() => {
    let hiddenAt = 0;
    const onChange = () => {
      if (document.visibilityState === 'hidden') {
        hiddenAt = Date.now();
      } else if (hiddenAt > 0 && Date.now() - hiddenAt > LONG_AWAY_MS) {
        refresh();
      }
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [refresh]);
}
