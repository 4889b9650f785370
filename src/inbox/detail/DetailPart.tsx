import { AppEvents } from '@grafana/data';
import { getAppEvents, locationService } from '@grafana/runtime';
import { t } from '../../i18n/t';
import { explain } from '../../api/queryClient';
import { AlertWithAction } from '../../components/AlertWithAction';
import { may } from '../../api/permissions';
import { useNow } from '../../components/timers';
import { Gone } from '../states';
import type { InboxPageState } from '../useInboxPage';
import { Detail } from './Detail';
import { Dropdown, IconButton, LoadingPlaceholder, Menu, Stack, Button } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { Notification } from '@nodebell/contract/notification.ts';
import { packagesQuery } from '../../api/packages';
import { categoryName, shortName } from '../../components/messages';
import { pathTo } from '../../routes';

interface Props {
  page: InboxPageState;
  /** The detail replaces the list, and the page header has its actions. */
  alone?: boolean;
}

/** The selected notification, or why it is not shown. */
export function DetailPart({ page, alone = false }: Props) {
  const now = useNow();
  const { detail, handlers, disabled } = page;
  const { notification } = detail;
  if (detail.gone) {
    return <Gone onBack={() => handlers.open(undefined)} />;
  }
  if (!notification) {
    // The page says so already if nothing can be loaded.
    return detail.failure && page.data.error ? null : <NotLoaded failure={detail.failure} />;
  }
  return (
    <Detail
      detail={notification}
      now={now}
      disabled={disabled}
      actions={alone ? undefined : <DetailTools page={page} />}
      headingLevel={alone ? 1 : 2}
      onResolve={
        may('inbox:write') && notification.thread.state === 'open'
          ? () => handlers.actions.resolve(notification.id)
          : undefined
      }
      onOpen={handlers.open}
      onShowOnly={(filter) => page.setView({ ...filter, ...(alone && { id: undefined }) })}
      respond={handlers.respond}
      commentRef={page.commentRef}
    />
  );
}

function NotLoaded({ failure }: { failure: InboxPageState['detail']['failure'] }) {
  return failure ? (
    <AlertWithAction
      severity="error"
      title={t('inbox.detail.failed', 'Could not load the notification')}
      action={
        <Button size="sm" variant="secondary" icon="sync" onClick={failure.retry}>
          {t('parts.error.retry', 'Retry now')}
        </Button>
      }
    >
      {explain(failure.error)}
    </AlertWithAction>
  ) : (
    <LoadingPlaceholder text={t('inbox.detail.loading', 'Loading…')} />
  );
}

export function DetailTools({ page }: Pick<Props, 'page'>) {
  const { detail, handlers, disabled, setView } = page;
  const { notification, unread } = detail;
  if (!notification) {
    return null;
  }
  const { category } = notification;
  const { mark } = handlers;
  const onMark = mark && ((seen: boolean) => mark({ rows: [notification], seen, wholeThreads: true }));
  return (
    <DetailActions
      notification={notification}
      unread={unread}
      disabled={disabled}
      handlers={{
        onMark: notification.errors === undefined ? onMark : undefined,
        onShowOnly: (filter) => setView(filter),
        onCopyLink: () => void copyLink(),
        onMute: may('inbox:write') ? () => handlers.switchCategory?.(category, false) : undefined,
        onDelete: may('inbox:write') ? () => handlers.remove([notification]) : undefined,
      }}
    />
  );
}

async function copyLink() {
  const say = (type: { name: string }, ...payload: string[]) => getAppEvents().publish({ type: type.name, payload });
  try {
    await navigator.clipboard.writeText(window.location.href);
    say(AppEvents.alertSuccess, t('inbox.link.copied', 'Link copied'));
  } catch {
    say(
      AppEvents.alertWarning,
      t('inbox.link.failed', 'Could not copy the link'),
      t('inbox.link.failed-text', 'Copy it from the address bar of the browser.')
    );
  }
}

interface DetailHandlers {
  /** Undefined for notifications outside the inbox. */
  onMark: ((seen: boolean) => void) | undefined;
  onShowOnly: (filter: { categories: string[] } | { packages: string[] }) => void;
  onCopyLink: () => void;
  /** Undefined without permission. */
  onMute: (() => void) | undefined;
  onDelete: (() => void) | undefined;
}

interface DetailActionsProps {
  notification: Notification;
  unread: boolean;
  disabled: boolean;
  handlers: DetailHandlers;
}

/** Actions for the displayed notification. */
function DetailActions({ notification, unread, disabled, handlers }: DetailActionsProps) {
  const { onMark, onMute, onDelete } = handlers;
  const name = categoryName(notification.category);
  return (
    <Stack gap={1.5} alignItems="center">
      {onMark && (
        <IconButton
          name={unread ? 'check' : 'envelope'}
          size="lg"
          tooltip={unread ? t('inbox.action.read', 'Mark read') : t('inbox.action.unread', 'Mark unread')}
          disabled={disabled}
          onClick={() => onMark(unread)}
        />
      )}
      {onMute && (
        <IconButton
          name="bell-slash"
          size="lg"
          tooltip={t('inbox.action.mute', 'Mute {{name}}', { name })}
          disabled={disabled}
          onClick={onMute}
        />
      )}
      {onDelete && (
        <IconButton
          name="trash-alt"
          size="lg"
          tooltip={t('inbox.action.delete', 'Delete')}
          disabled={disabled}
          onClick={onDelete}
        />
      )}
      <Dropdown placement="bottom-end" overlay={() => <MoreMenu notification={notification} handlers={handlers} />}>
        <IconButton name="ellipsis-v" size="lg" aria-label={t('inbox.action.more', 'More actions')} />
      </Dropdown>
    </Stack>
  );
}

function MoreMenu({
  notification: { category, dnpName },
  handlers,
}: Pick<DetailActionsProps, 'notification' | 'handlers'>) {
  const sets = useQuery(packagesQuery()).data?.some((one) => one.dnpName === dnpName && one.endpoints > 0);
  return (
    <Menu ariaLabel={t('inbox.action.more', 'More actions')}>
      <Menu.Item label={t('inbox.action.copy-link', 'Copy link')} icon="link" onClick={handlers.onCopyLink} />
      {sets && (
        <Menu.Item
          label={t('inbox.action.thresholds', 'Thresholds of {{name}}', { name: shortName(dnpName) })}
          icon="sliders-v-alt"
          onClick={() => locationService.push(pathTo.thresholdsOf(dnpName))}
        />
      )}
      <Menu.Divider />
      <Menu.Item
        label={t('inbox.action.only', 'Show only {{name}}', { name: categoryName(category) })}
        icon="filter"
        onClick={() => handlers.onShowOnly({ categories: [category] })}
      />
      <Menu.Item
        label={t('inbox.action.only', 'Show only {{name}}', { name: shortName(dnpName) })}
        icon="filter"
        onClick={() => handlers.onShowOnly({ packages: [dnpName] })}
      />
    </Menu>
  );
}

/** The header of the detail where it replaces the list, with a way back. */
export function NarrowTitle({ onBack }: { onBack: () => void }) {
  return (
    <Button variant="secondary" fill="text" icon="arrow-left" onClick={onBack}>
      {t('inbox.detail.back', 'Inbox')}
    </Button>
  );
}

interface StepsProps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

export function Steps({ onPrevious, onNext }: StepsProps) {
  return (
    <>
      <IconButton
        name="angle-up"
        size="xl"
        aria-label={t('inbox.detail.previous', 'Previous notification')}
        disabled={!onPrevious}
        onClick={onPrevious}
      />
      <IconButton
        name="angle-down"
        size="xl"
        aria-label={t('inbox.detail.next', 'Next notification')}
        disabled={!onNext}
        onClick={onNext}
      />
    </>
  );
}
