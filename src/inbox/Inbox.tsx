import { PluginPage } from '@grafana/runtime';
import { Box } from '@grafana/ui';
import { lazy, Suspense, useDeferredValue, useRef, useState, type RefObject } from 'react';
import { t } from '../i18n/t';
import type { Notification } from '@nodebell/contract/notification.ts';
import { isPermitted, type Targets, threadOf } from './actions';
import { Banners } from './Banners';
import { burstOf } from '../components/bursts';
import { BulkBar } from './BulkBar';
import { useNow } from '../components/timers';
import { usePageNav } from '../components/usePageNav';
import { BurstBar } from './BurstBar';
import { Content } from './Content';
import { DetailPart, DetailTools, NarrowTitle, Steps } from './detail/DetailPart';
import { Filters } from './filters/Filters';
import { onlyGroup } from './grouping';
import { InboxTabs } from './InboxTabs';
import type { GroupActions } from './list/GroupHeader';
import { NotificationList } from './list/NotificationList';
import { SkeletonList } from './list/SkeletonRow';
import { BANNERS, csvAddress } from './queries';
import { EmptyInbox } from './states';
import { LiveBadge, ErrorAlert } from '../components/LivePage';
import { PageActions, type Dialog } from './PageMenu';
import { UndoBar } from './Undo';
import { useInboxPage, type InboxPageState, useTitleCount } from './useInboxPage';
import { type Response, useKeys } from './useKeys';
import { shapeOf, useWidth, type Shape } from '../components/layout';
import { hasFilters, showsDetail } from './view';

const OwnShifts = lazy(() => import(/* webpackChunkName: "own-shifts" */ '../onCall/OwnShifts'));
const Dialogs = lazy(() => import(/* webpackChunkName: "dialogs" */ './dialogs/Dialogs'));

/** The inbox page. On narrow screens the detail replaces the list. */
export default function Inbox({ bridgeUrl }: { bridgeUrl: string }) {
  const page = useInboxPage();
  const pageNav = usePageNav('inbox');
  const [widthRef, width] = useWidth();
  const shape = shapeOf(width ?? window.innerWidth);
  const [dialog, setDialog] = useState<Dialog>();
  const searchRef = useRef<HTMLInputElement>(null);
  const { view, data, undo, handlers, disabled, live } = page;
  const replaced = shape === 'narrow' && showsDetail(view);

  useTitleCount(data.totals?.unseen);
  usePageKeys(page, shape, searchRef, () => setDialog('shortcuts'));
  const close = () => handlers.open(undefined);
  return (
    <PluginPage
      pageNav={pageNav}
      {...(replaced && { renderTitle: () => <NarrowTitle onBack={close} /> })}
      actions={replaced ? <NarrowTools page={page} /> : <Actions page={page} shape={shape} onDialog={setDialog} />}
    >
      <div ref={widthRef}>
        {live.regions}
        {data.error && (
          <ErrorAlert
            error={data.error}
            bridgeUrl={bridgeUrl}
            loadedAt={data.shown && data.loadedAt}
            nextTry={live.nextTry}
            onRetry={live.retry}
          />
        )}
        {replaced ? (
          <DetailPart page={page} alone />
        ) : (
          <Everything page={page} shape={shape} bridgeUrl={bridgeUrl} searchRef={searchRef} />
        )}
      </div>
      {dialog && (
        <Suspense fallback={null}>
          <Dialogs
            dialog={dialog}
            disabled={disabled}
            onSwitch={handlers.switchCategory}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
      {undo.last && <UndoBar id={undo.last.id} count={undo.last.count} until={undo.last.until} onUndo={undo.undo} />}
    </PluginPage>
  );
}

interface PartProps {
  page: InboxPageState;
  shape: Shape;
}

function Actions({ page, shape, onDialog }: PartProps & { onDialog: (dialog: Dialog) => void }) {
  const { view, data, live, disabled, handlers, selection } = page;
  return (
    <>
      <LiveBadge cut={live.cut && !data.error} />
      {/* Not before the first rows. */}
      {data.shown && (
        <Suspense fallback={null}>
          <OwnShifts narrow={shape === 'narrow'} />
        </Suspense>
      )}
      <PageActions
        narrow={shape === 'narrow'}
        unread={data.shown?.facets.unseen ?? 0}
        filtered={hasFilters(view)}
        disabled={disabled || view.tab === 'errors'}
        onMarkAll={isPermitted('read', false) ? () => handlers.run('read', handlers.matching()) : undefined}
        onSelect={selection.begin}
        onDialog={onDialog}
        csvAddress={() => csvAddress(view)}
      />
    </>
  );
}

function NarrowTools({ page }: Pick<PartProps, 'page'>) {
  const { rows, detail, handlers } = page;
  const at = rows.findIndex((row) => row.key === detail.key);
  const step = (index: number) => {
    const row = at < 0 ? undefined : rows[index];
    return row && (() => handlers.open(row.notification.id));
  };
  return (
    <>
      <Steps onPrevious={step(at - 1)} onNext={step(at + 1)} />
      <DetailTools page={page} />
    </>
  );
}

type EverythingProps = PartProps & { bridgeUrl: string; searchRef: RefObject<HTMLInputElement> };

function Everything({ page, shape, bridgeUrl, searchRef }: EverythingProps) {
  const { view, data, disabled, handlers, showNew, list } = page;
  const now = useNow();
  const firstRun = data.totals?.lastId === 0;
  return (
    <>
      <Banners
        banners={data.banners}
        now={now}
        disabled={disabled}
        onOpen={handlers.openRow}
        onDismiss={isPermitted('read', false) ? (banner) => handlers.run('read', dismissed(banner)) : undefined}
      />
      <InboxTabs tab={view.tab} counts={data.counters} onChange={handlers.changeTab} />
      {view.burst !== undefined && <BurstBar page={page} />}
      {!firstRun && <Bar page={page} shape={shape} searchRef={searchRef} />}
      <Content
        shape={shape}
        empty={list.items.length === 0 && (data.shown !== undefined || data.error !== undefined)}
        detail={showsDetail(view) ? <DetailPart page={page} /> : undefined}
        waiting={data.shown?.loaded.waiting.length ?? 0}
        pending={!data.settled && data.shown !== undefined && !data.error}
        onShowNew={showNew}
        onClose={() => handlers.open(undefined)}
        list={<List page={page} shape={shape} bridgeUrl={bridgeUrl} now={now} />}
      />
    </>
  );
}

/** Targets of dismissing a banner: its thread, or the threads of its burst that have banners. */
function dismissed(banner: Notification): Targets {
  const burst = burstOf(banner)?.id;
  const filters = [{ ...BANNERS, burst, untilId: banner.id }];
  return burst === undefined ? threadOf(banner) : { ...threadOf(banner), ids: [], filters };
}

function List({ page, shape, bridgeUrl, now }: PartProps & { bridgeUrl: string; now: number }) {
  const { view, setView, data, list, selection, focus, disabled, handlers } = page;
  if (!data.shown) {
    return data.error ? null : <SkeletonList />;
  }
  if (list.items.length === 0) {
    return <EmptyInbox view={view} setView={setView} bridgeUrl={bridgeUrl} firstRun={data.totals?.lastId === 0} />;
  }
  return (
    <NotificationList
      {...{ now, selection, focus, disabled }}
      items={list.items}
      threads={page.threads}
      openKey={page.detail.key}
      scroll={shape === 'split' ? 'pane' : 'page'}
      containerRef={page.listRef}
      countUnread={view.tab !== 'errors'}
      groupActions={groupActions(page)}
      onOpen={(row) => handlers.openRow(row.notification)}
      onFold={list.fold}
      onMore={list.more}
      onSight={list.onSight}
      label={t('inbox.list.label', 'Notifications')}
    />
  );
}

/** Actions on the rows of one group. */
function groupActions({ handlers, view, setView }: InboxPageState): GroupActions {
  const { run, matching, switchCategory } = handlers;
  return {
    onRead: isPermitted('read', false) ? (group) => run('read', matching(group)) : undefined,
    onShowOnly: (group) => setView(onlyGroup(view, group)),
    onSwitch: switchCategory && ((group) => switchCategory(group.value, !group.enabled)),
    onDelete: isPermitted('delete', false) ? (group) => run('delete', matching(group)) : undefined,
  };
}

/** The filters, or the actions for selected rows. */
function Bar({ page, shape, searchRef }: Omit<EverythingProps, 'bridgeUrl'>) {
  const { view, data, selection, total, disabled, handlers } = page;
  // Slow to render, so arrivals do not wait for it.
  const facets = useDeferredValue(data.shown?.facets);
  return selection.active ? (
    <BulkBar
      selection={selection}
      total={total}
      exact={data.shown?.facets.exact ?? true}
      disabled={disabled}
      targetsFor={handlers.selectedFor}
      run={handlers.runSelected}
    />
  ) : (
    <Box paddingY={2}>
      <Filters view={view} setView={page.setView} facets={facets} narrow={shape === 'narrow'} searchRef={searchRef} />
    </Box>
  );
}

function usePageKeys(page: InboxPageState, shape: Shape, searchRef: RefObject<HTMLInputElement>, onHelp: () => void) {
  const { view, list, focus, detail, selection, disabled, handlers, undo, showNew } = page;
  const { run, runSelected, selectedFor, targetsOf } = handlers;
  useKeys({
    ...{ focus, selection, searchRef, disabled, onHelp },
    items: list.items,
    openKey: detail.key,
    covered: detail.notification !== undefined && shape !== 'split',
    onOpen: (row) => handlers.openRow(row.notification),
    onClose: () => handlers.open(undefined),
    onAction: (id, row) => {
      const permitted = isPermitted(id, view.tab === 'errors');
      const targets = row ? permitted && targetsOf([row.notification]) : selectedFor(id);
      if (targets) {
        (row ? run : runSelected)(id, targets);
      }
    },
    onRespond: (row, what) => {
      handlers.openRow(row.notification);
      // The detail is rendered with the content of the row at once.
      requestAnimationFrame(() => startResponse(page, what));
    },
    onUndo: undo.undo,
    onShowNew: showNew,
  });
}

function startResponse({ detailRef }: InboxPageState, what: Response) {
  if (what === 'comment') {
    detailRef.current?.querySelector('textarea')?.focus();
  } else {
    detailRef.current?.querySelector<HTMLElement>(`[data-respond=${what}]`)?.click();
  }
}
