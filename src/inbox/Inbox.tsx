import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';
import { useStyles2 } from '@grafana/ui';
import { useDeferredValue, useRef, useState, type RefObject } from 'react';
import { t } from '../i18n/t';
import { may } from '../api/permissions';
import type { Notification } from '@nodebell/contract/notification.ts';
import { Banners } from './Banners';
import { BulkBar } from './BulkBar';
import { useNow } from '../components/timers';
import { BurstBar } from './BurstBar';
import { Content } from './Content';
import { DetailPart, DetailTools, NarrowTitle, Steps } from './detail/DetailPart';
import { Dialogs } from './dialogs/Dialogs';
import { Filters } from './filters/Filters';
import { InboxTabs } from './InboxTabs';
import { NotificationList } from './list/NotificationList';
import { SkeletonList } from './list/SkeletonRow';
import { BANNERS } from './queries';
import { EmptyInbox } from './states';
import { LiveBadge, ErrorAlert } from '../components/LivePage';
import { PageActions, type Dialog } from './PageMenu';
import { UndoBar } from './Undo';
import { useInboxPage, type InboxPageState, useTitleCount } from './useInboxPage';
import { useKeys } from './useKeys';
import { shapeOf, useWidth, type Shape } from '../components/layout';
import { hasFilters } from './view';

/** The inbox page. On narrow screens the detail replaces the list. */
export default function Inbox({ bridgeUrl }: { bridgeUrl: string }) {
  const page = useInboxPage();
  const [widthRef, width] = useWidth();
  const shape = shapeOf(width ?? window.innerWidth);
  const [dialog, setDialog] = useState<Dialog>();
  const searchRef = useRef<HTMLInputElement>(null);
  const { view, data, undo, handlers, disabled, live } = page;
  const replaced = shape === 'narrow' && view.id !== undefined;

  useTitleCount(data.totals?.unseen);
  usePageKeys(page, shape, searchRef, () => setDialog('shortcuts'));
  const close = () => handlers.open(undefined);
  return (
    <PluginPage
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
      <Dialogs
        dialog={dialog}
        disabled={disabled}
        onSwitch={handlers.switchCategory}
        onClose={() => setDialog(undefined)}
      />
      {undo.last && (
        <UndoBar what={undo.last.what} count={undo.last.count} until={undo.last.until} onUndo={undo.undo} />
      )}
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
      <PageActions
        narrow={shape === 'narrow'}
        unread={data.shown?.facets.unseen ?? 0}
        filtered={hasFilters(view)}
        disabled={disabled || view.tab === 'errors'}
        onMarkAll={handlers.markAll}
        onSelect={selection.begin}
        onDialog={onDialog}
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
        onDismiss={handlers.mark && ((banner) => handlers.mark?.(dismissal(banner)))}
      />
      <InboxTabs tab={view.tab} counts={data.counters} onChange={handlers.changeTab} />
      {view.burst !== undefined && <BurstBar page={page} />}
      {!firstRun && <Bar page={page} shape={shape} searchRef={searchRef} />}
      <Content
        shape={shape}
        empty={list.items.length === 0 && (data.shown !== undefined || data.error !== undefined)}
        detail={view.id === undefined ? undefined : <DetailPart page={page} />}
        waiting={data.shown?.loaded.waiting.length ?? 0}
        pending={!data.settled && data.shown !== undefined && !data.error}
        onShowNew={showNew}
        onClose={() => handlers.open(undefined)}
        list={<List page={page} shape={shape} bridgeUrl={bridgeUrl} now={now} />}
      />
    </>
  );
}

/** Marks what a banner stands for as read. */
const dismissal = (banner: Notification) => ({
  rows: [banner],
  seen: true,
  wholeThreads: true,
  filterOf: (burst: number) => ({ ...BANNERS, burst, untilId: banner.id }),
});

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
      groupActions={handlers.groupActions}
      onOpen={(row) => handlers.openRow(row.notification)}
      onFold={list.fold}
      onMore={list.more}
      onSight={list.onSight}
      label={t('inbox.list.label', 'Notifications')}
    />
  );
}

/** The filters, or the actions for selected rows. */
function Bar({ page, shape, searchRef }: Omit<EverythingProps, 'bridgeUrl'>) {
  const styles = useStyles2(getStyles);
  const { view, data, selection, total, disabled, handlers } = page;
  // Slow to render, so arrivals do not wait for it.
  const facets = useDeferredValue(data.shown?.facets);
  return (
    <div className={styles.bar}>
      {selection.active ? (
        <BulkBar
          selection={selection}
          total={total}
          exact={data.shown?.facets.exact ?? true}
          disabled={disabled}
          onMark={view.tab === 'errors' ? undefined : handlers.markSelected}
          onAcknowledge={view.tab === 'errors' ? undefined : handlers.acknowledgeSelected}
          onSnooze={view.tab === 'errors' ? undefined : handlers.snoozeSelected}
          onAssign={view.tab === 'errors' ? undefined : handlers.assignSelected}
          onResolve={view.tab === 'errors' ? undefined : handlers.resolveSelected}
          onDelete={may('inbox:write') ? handlers.removeSelected : undefined}
        />
      ) : (
        <Filters view={view} setView={page.setView} facets={facets} narrow={shape === 'narrow'} searchRef={searchRef} />
      )}
    </div>
  );
}

function usePageKeys(page: InboxPageState, shape: Shape, searchRef: RefObject<HTMLInputElement>, onHelp: () => void) {
  const { view, rows, focus, detail, selection, disabled, handlers, undo, showNew } = page;
  const { mark, acknowledge } = handlers;
  // Outside of the inbox there is nothing to read or to respond to.
  const outside = view.tab === 'errors';
  useKeys({
    ...{ rows, focus, selection, searchRef, disabled, onHelp },
    openKey: detail.key,
    covered: detail.notification !== undefined && shape !== 'split',
    onOpen: (row) => handlers.openRow(row.notification),
    onClose: () => handlers.open(undefined),
    onMark:
      outside || !mark
        ? undefined
        : (chosen, seen) => (chosen === 'all' ? handlers.markSelected?.(seen) : mark({ rows: chosen, seen })),
    onDelete: may('inbox:write')
      ? (chosen) => (chosen === 'all' ? handlers.removeSelected() : handlers.remove(chosen))
      : undefined,
    onAcknowledge:
      outside || !acknowledge
        ? undefined
        : (chosen) => (chosen === 'all' ? handlers.acknowledgeSelected?.() : acknowledge(chosen)),
    onRespond: (row, what) => {
      handlers.openRow(row.notification);
      // The detail is rendered with the content of the row at once.
      requestAnimationFrame(() => startResponse(page, what));
    },
    onUndo: undo.undo,
    onShowNew: showNew,
  });
}

function startResponse({ commentRef }: InboxPageState, what: 'comment' | 'snooze' | 'silence') {
  if (what === 'comment') {
    commentRef.current?.focus();
  } else {
    document.querySelector<HTMLElement>(`[data-respond=${what}]`)?.click();
  }
}

const getStyles = (theme: GrafanaTheme2) => ({ bar: css({ padding: theme.spacing(2, 0) }) });
