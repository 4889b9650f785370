import { AppEvents } from '@grafana/data';
import { getAppEvents, PluginPage } from '@grafana/runtime';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import { mayChange } from './access';
import { useAnnouncer } from './Announcer';
import { Banners } from './Banners';
import { BulkBar } from './BulkBar';
import { useNow } from './clock';
import { Content } from './Content';
import { Detail } from './detail/Detail';
import { DetailActions } from './detail/DetailActions';
import { NarrowTitle, Steps } from './detail/NarrowHeader';
import { Dialogs } from './dialogs/Dialogs';
import { Filters } from './filters/Filters';
import { isUnread } from './filter';
import { InboxTabs } from './InboxTabs';
import { LiveBadge } from './LiveBadge';
import { ListOrState } from './ListOrState';
import { PageActions, type Dialog } from './PageMenu';
import { keyOf } from './rows';
import { Gone, Trouble } from './states';
import { UndoBar } from './UndoBar';
import { useDetail } from './useDetail';
import { useGroups } from './useGroups';
import { useHandlers } from './useHandlers';
import { useInbox } from './useInbox';
import { useKeys, type RowItem } from './useKeys';
import { useListFocus } from './list/useListFocus';
import { useLive } from './useLive';
import { useRetry } from './useRetry';
import { useSeen } from './useSeen';
import { useSelection } from './useSelection';
import { useTitleCount } from './useTitle';
import { useUndo } from './useUndo';
import { useView } from './useView';
import { hasFilters, showsThreads } from './view';
import { shapeOf, useWidth } from './useWidth';

/** The page: what is shown, and what happens when something is done. Each part draws itself. */
export function Inbox({ bridgeUrl }: { bridgeUrl: string }) {
  const [view, setView] = useView();
  const [widthRef, width] = useWidth();
  const shape = shapeOf(width ?? window.innerWidth);
  const narrow = shape === 'narrow';
  const now = useNow();
  const [dialog, setDialog] = useState<Dialog>();
  const searchRef = useRef<HTMLInputElement>(null);
  const listRef = useRef<HTMLDivElement>(null);

  const data = useInbox(view);
  const threads = data.shown?.loaded.rows.threads ?? showsThreads(view);
  const { groups, items, onSight, fold, more } = useGroups(view, data.shown);
  const rows = useMemo(() => items.filter((item): item is RowItem => item.type === 'row'), [items]);
  const notifications = useMemo(() => rows.map((row) => row.notification), [rows]);
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const focus = useListFocus();
  const selection = useSelection(notifications, threads, total);

  const { announce, regions } = useAnnouncer();
  const waiting = data.shown?.loaded.waiting ?? [];
  const mayMove = () => {
    const list = listRef.current;
    const atTop = list ? list.scrollTop < 4 && list.getBoundingClientRect().top > 0 : true;
    const touched = list ? list.contains(document.activeElement) || list.matches(':hover') : false;
    return atTop && !touched && view.id === undefined && !selection.active;
  };
  const onArrival = useCallback(
    ({ title, priority, muted, errors }: Notification) => {
      if (!muted && errors === undefined) {
        announce({ text: `${priority === 'critical' ? 'Critical' : 'New'}: ${title}`, urgent: priority === 'critical' });
      }
    },
    [announce]
  );
  const live = useLive({ view, mayMove, onArrival });
  const { error } = data;
  const disabled = error !== undefined;
  const { nextTry, retry } = useRetry(disabled || live.status === 'cut', live.refresh);

  const { detail, gone } = useDetail(view.id, notifications.find(({ id }) => id === view.id));
  const openKey = detail ? keyOf(detail, threads) : rows.find((row) => row.notification.id === view.id)?.key;
  const undo = useUndo();
  const handlers = useHandlers({ view, setView, rows, focus, selection, openKey, loaded: data.shown?.loaded, undo });
  const { actions } = handlers;
  const unread = detail !== undefined && (isUnread(detail, true) || isUnread(detail, false));
  useSeen(detail && String(detail.id), () => unread && !disabled && actions.mark({ rows: [detail], seen: true, wholeThreads: true }));
  useTitleCount(data.totals?.unseen);

  const showNew = () => {
    const newest = waiting[0];
    live.showWaiting();
    if (newest) {
      focus.moveTo(keyOf(newest, threads));
    }
  };
  const close = () => handlers.open(undefined);
  const covered = detail !== undefined && shape !== 'split';
  useKeys({
    rows,
    focus,
    openKey,
    covered,
    selection,
    searchRef,
    disabled,
    onOpen: (row) => handlers.open(row.notification.id),
    onClose: close,
    onMark: (chosen, seen) => actions.mark({ rows: chosen, seen }),
    onDelete: mayChange() ? handlers.remove : undefined,
    onUndo: undo.undo,
    onShowNew: showNew,
    onHelp: () => setDialog('shortcuts'),
  });

  const detailActions = detail && (
    <DetailActions
      notification={detail}
      unread={unread}
      disabled={disabled}
      handlers={{
        onMark: (seen) => actions.mark({ rows: [detail], seen, wholeThreads: true }),
        onShowOnly: ({ category, dnpName }) =>
          setView({ ...(category !== undefined && { categories: [category] }), ...(dnpName !== undefined && { packages: [dnpName] }) }),
        onCopyLink: () => void copyLink(),
        onMute: mayChange() ? () => actions.switchCategory({ category: detail.category, enabled: false }) : undefined,
        onDelete: mayChange() ? () => handlers.remove([detail]) : undefined,
      }}
    />
  );
  const replaced = narrow && view.id !== undefined;
  const detailPart = gone ? (
    <Gone onBack={close} />
  ) : (
    detail && (
      <Detail
        detail={detail}
        now={now}
        disabled={disabled}
        actions={replaced ? undefined : detailActions}
        headingLevel={replaced ? 1 : 2}
        onResolve={mayChange() && detail.thread.state === 'open' ? () => actions.resolve(detail.id) : undefined}
        onOpen={(id) => handlers.open(id)}
      />
    )
  );
  const at = rows.findIndex((row) => row.key === openKey);
  const step = (row: RowItem | undefined) => row && (() => handlers.open(row.notification.id));
  const firstRun = data.totals?.lastId === 0;

  return (
    <PluginPage
      {...(replaced && { renderTitle: () => <NarrowTitle onBack={close} /> })}
      actions={
        replaced ? (
          <>
            <Steps onPrevious={step(rows[at - 1])} onNext={at < 0 ? undefined : step(rows[at + 1])} />
            {detailActions}
          </>
        ) : (
          <>
            <LiveBadge cut={live.status === 'cut' && !error} />
            <PageActions
              narrow={narrow}
              unread={data.shown?.facets.unseen ?? 0}
              filtered={hasFilters(view)}
              disabled={disabled || view.tab === 'errors'}
              onMarkAll={handlers.markAll}
              onSelect={selection.begin}
              onDialog={setDialog}
            />
          </>
        )
      }
    >
      <div ref={widthRef}>
        {regions}
        {error && <Trouble error={error} bridgeUrl={bridgeUrl} loadedAt={data.shown && data.loadedAt} nextTry={nextTry} onRetry={retry} />}
        {replaced ? (
          detailPart
        ) : (
          <>
            <Banners
              banners={data.banners}
              now={now}
              disabled={disabled}
              onOpen={(banner) => handlers.open(banner.id)}
              onDismiss={(banner) => actions.mark({ rows: [banner], seen: true, wholeThreads: true })}
            />
            <InboxTabs tab={view.tab} counts={data.counters} onChange={handlers.changeTab} />
            {!firstRun && (
              <div style={{ padding: '16px 0' }}>
                {selection.active ? (
                  <BulkBar
                    selection={selection}
                    total={total}
                    exact={data.shown?.facets.exact ?? true}
                    disabled={disabled}
                    onMark={handlers.markSelected}
                    onDelete={mayChange() ? handlers.removeSelected : undefined}
                  />
                ) : (
                  <Filters view={view} setView={setView} facets={data.shown?.facets} narrow={narrow} searchRef={searchRef} />
                )}
              </div>
            )}
            <Content
              shape={shape}
              detail={detailPart}
              waiting={waiting.length}
              pending={!data.settled && data.shown !== undefined && !error}
              onShowNew={showNew}
              onClose={close}
              list={
                <ListOrState
                  view={view}
                  setView={setView}
                  bridgeUrl={bridgeUrl}
                  loading={data.shown === undefined && !error}
                  failed={data.shown === undefined && error !== undefined}
                  firstRun={firstRun}
                  items={items}
                  threads={threads}
                  now={now}
                  openKey={openKey}
                  selection={selection}
                  focus={focus}
                  scroll={shape === 'split' ? 'pane' : 'page'}
                  containerRef={listRef}
                  disabled={disabled}
                  groupActions={handlers.groupActions}
                  onOpen={(row) => handlers.open(row.notification.id)}
                  onFold={fold}
                  onMore={more}
                  onSight={onSight}
                  label="Notifications"
                />
              }
            />
          </>
        )}
      </div>
      <Dialogs dialog={dialog} disabled={disabled} onSwitch={handlers.switchCategory} onClose={() => setDialog(undefined)} />
      {undo.last && <UndoBar count={undo.last.count} until={undo.last.until} onUndo={undo.undo} />}
    </PluginPage>
  );
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(window.location.href);
    getAppEvents().publish({ type: AppEvents.alertSuccess.name, payload: ['Link copied'] });
  } catch {
    getAppEvents().publish({ type: AppEvents.alertWarning.name, payload: ['Could not copy', 'The address of this page is the link.'] });
  }
}
