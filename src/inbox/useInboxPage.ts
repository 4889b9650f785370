import { t } from '../i18n/t';
import { may } from '../components/access';
import { useCallback, useMemo, useRef } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import { useAnnouncer } from './Announcer';
import { isUnread } from './filter';
import { useListFocus } from './list/useListFocus';
import { keyOf } from './rows';
import { useDetail } from './useDetail';
import { useGroups } from './useGroups';
import { useHandlers } from './useHandlers';
import { useInbox } from './useInbox';
import type { RowItem } from './useKeys';
import { useLive } from './useLive';
import { useRetry } from '../components/timers';
import { useSeen } from './useSeen';
import { useSelection } from './useSelection';
import { useUndo } from './useUndo';
import { useView } from './useView';
import { showsThreads } from './view';

export type InboxPageState = ReturnType<typeof useInboxPage>;

/** All that the page knows and does; how it is drawn is the components' business. */
export function useInboxPage() {
  const [view, setView] = useView();
  const data = useInbox(view);
  const { shown, error } = data;
  const threads = shown?.loaded.rows.threads ?? showsThreads(view);
  const list = useGroups(view, shown);
  const rows = useMemo(() => list.items.filter((item): item is RowItem => item.type === 'row'), [list.items]);
  const notifications = useMemo(() => rows.map((row) => row.notification), [rows]);
  const total = list.groups.reduce((sum, group) => sum + group.count, 0);
  const focus = useListFocus();
  const selection = useSelection(notifications, threads, total);
  const undo = useUndo();

  const { detail, gone } = useDetail(
    view.id,
    notifications.find(({ id }) => id === view.id)
  );
  const openKey = detail ? keyOf(detail, threads) : rows.find((row) => row.notification.id === view.id)?.key;
  const handlers = useHandlers({ view, setView, rows, focus, selection, openKey, loaded: shown?.loaded, undo });

  const listRef = useRef<HTMLDivElement>(null);
  const reading = view.id !== undefined || selection.active;
  const live = useLiveList(view, () => !reading && isAtRest(listRef.current));
  const { nextTry, retry } = useRetry(error !== undefined || live.status === 'cut', live.refresh);

  const disabled = error !== undefined;
  const unread = detail !== undefined && (isUnread(detail, true) || isUnread(detail, false));
  useSeen(detail && String(detail.id), () => {
    if (unread && !disabled && may('inbox:seen')) {
      handlers.actions.mark({ rows: [detail], seen: true, wholeThreads: true });
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
    ...{ view, setView, data, threads, list, rows, total, focus, selection, undo, handlers, listRef, showNew },
    detail: { notification: detail, gone, unread, key: openKey },
    live: { cut: live.status === 'cut', regions: live.regions, nextTry, retry },
    /** The bridge cannot be reached, so nothing can be changed. */
    disabled,
  };
}

/** Whether the list may move: it is at its top, and nobody has a hand on it. */
function isAtRest(list: HTMLElement | null): boolean {
  if (!list) {
    return true;
  }
  const atTop = list.scrollTop < 4 && list.getBoundingClientRect().top > 0;
  return atTop && !list.contains(document.activeElement) && !list.matches(':hover');
}

/** What arrives is announced as well as shown. */
function useLiveList(view: Parameters<typeof useLive>[0]['view'], mayMove: () => boolean) {
  const { announce, regions } = useAnnouncer();
  const onArrival = useCallback(
    ({ title, priority, muted, errors }: Notification) => {
      if (!muted && errors === undefined) {
        const urgent = priority === 'critical';
        const text = urgent
          ? t('inbox.live.critical', 'Critical: {{title}}', { title })
          : t('inbox.live.new', 'New: {{title}}', { title });
        announce({ text, urgent });
      }
    },
    [announce]
  );
  return { ...useLive({ view, mayMove, onArrival }), regions };
}
