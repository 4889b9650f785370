import { t } from '../i18n/t';
import { useCallback, useMemo, useRef, useEffect, useState } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import { createCalm } from '../components/calm';
import { isPermitted, threadOf } from './actions';
import { useAnnouncer } from './Announcer';
import { isUnread } from './filter';
import { useListFocus } from './list/useVirtualList';
import { keyOf } from './rows';
import { useAlertLink, useDetail, useInbox, useView } from './useInbox';
import { useDefaultView } from './savedViews/useSavedViews';
import { useGroups } from './useGroups';
import { useHandlers } from './useHandlers';
import type { RowItem } from './useKeys';
import { useLive } from './useLive';
import { useRetry } from '../components/timers';
import { useSilencePolling } from './silences/useSilences';
import { useSelection } from './useSelection';
import { useUndo } from './Undo';
import { viewKey } from './queries';
import { showsDetail, showsThreads } from './view';
import { rememberUnread } from '../components/unread';
import { useLatest } from '../components/useLatest';

export type InboxPageState = ReturnType<typeof useInboxPage>;

/** State and actions of the page, without rendering. */
export function useInboxPage() {
  const [view, setView] = useView();
  useDefaultView(view, setView);
  const data = useInbox(view);
  const { shown, error } = data;
  const threads = shown?.loaded.rows.threads ?? showsThreads(view);
  const list = useGroups(view, shown);
  const rows = useMemo(() => list.items.filter((item): item is RowItem => item.type === 'row'), [list.items]);
  const notifications = useMemo(() => rows.map((row) => row.notification), [rows]);
  useSilencePolling(notifications);
  // Groups beyond those that the bridge lists have rows too.
  const counted = list.groups.reduce((sum, group) => sum + group.count, 0);
  const total = Math.max(counted, shown?.facets.total ?? 0);
  const focus = useListFocus();
  const selection = useSelection(notifications, threads, total, viewKey(view), shown?.loaded.rows);
  const undo = useUndo();

  const { detail, gone, failure } = useDetail(
    view.id,
    notifications.find(({ id }) => id === view.id)
  );
  const link = useAlertLink(view, setView);
  const openKey = detail ? keyOf(detail, threads) : rows.find((row) => row.notification.id === view.id)?.key;
  const loaded = shown?.loaded;
  const handlers = useHandlers({ view, setView, rows, total, focus, selection, openKey, loaded, offer: undo.offer });

  const listRef = useRef<HTMLDivElement>(null);
  const detailRef = useRef<HTMLElement>(null);
  const reading = showsDetail(view) || selection.active;
  const live = useLiveList(view, () => !reading && isAtRest(listRef.current));
  const { nextTry, retry } = useRetry(error !== undefined || live.status === 'cut', live.refresh);

  const disabled = error !== undefined;
  const unread = detail !== undefined && (isUnread(detail, true) || isUnread(detail, false));
  useSeen(detail && String(detail.id), () => {
    if (unread && !disabled && isPermitted('read', false)) {
      handlers.run('read', threadOf(detail));
    }
  });

  const showNew = () => {
    const newest = shown?.loaded.waiting[0];
    live.showWaiting();
    if (newest) {
      focus.moveTo(keyOf(newest, threads));
    }
  };
  return {
    ...{ view, setView, data, threads, list, rows, total, focus, selection, undo },
    ...{ handlers, listRef, detailRef, showNew },
    detail: { notification: detail, gone, absent: link.absent, failure: failure ?? link.failure, unread, key: openKey },
    live: { cut: live.status === 'cut', regions: live.regions, nextTry, retry },
    /** The bridge cannot be reached, so nothing can be changed. */
    disabled,
  };
}

/** Whether the list may move: it is scrolled to the top and not in use. */
function isAtRest(list: HTMLElement | null): boolean {
  if (!list) {
    return true;
  }
  const atTop = list.scrollTop < 4 && list.getBoundingClientRect().top > 0;
  return atTop && !list.contains(document.activeElement) && !list.matches(':hover');
}

/** Announces arrivals to screen readers. */
function useLiveList(view: Parameters<typeof useLive>[0]['view'], mayMove: () => boolean) {
  const { announce, regions } = useAnnouncer();
  const [calm] = useState(() => createCalm());
  const onArrival = useCallback(
    (arrival: Notification) => {
      const { title, priority, muted, errors } = arrival;
      if (!muted && errors === undefined && calm(arrival)) {
        const urgent = priority === 'critical';
        const text = urgent
          ? t('inbox.live.critical', 'Critical: {{title}}', { title })
          : t('inbox.live.new', 'New: {{title}}', { title });
        announce({ text, urgent });
      }
    },
    [announce, calm]
  );
  return { ...useLive({ view, mayMove, onArrival }), regions };
}

/** Shows the number of unread notifications in the document title, which Grafana sets, and shares it with other pages. */
export function useTitleCount(count: number | undefined) {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, '');
    document.title = count ? `(${count}) ${plain}` : plain;
  });
  useEffect(() => {
    if (count !== undefined) {
      rememberUnread(count);
    }
  }, [count]);
  useEffect(
    () => () => {
      document.title = document.title.replace(/^\(\d+\) /, '');
    },
    []
  );
}

export const DWELL_MS = 1000;

/**
 * Calls back once, when the selected item has been shown for a second on a visible page.
 * @param chosen identifies the choice; undefined while nothing is shown
 */
export function useSeen(chosen: string | undefined, onSeen: () => void) {
  const latest = useLatest(onSeen);
  useEffect(() => {
    if (chosen === undefined) {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let done = false;
    const update = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible' && !done) {
        timer = setTimeout(() => {
          done = true;
          latest.current();
        }, DWELL_MS);
      }
    };
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [chosen, latest]);
}
