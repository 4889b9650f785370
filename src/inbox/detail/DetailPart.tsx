import { AppEvents, locationUtil } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { t } from '../../i18n/t';
import { explain } from '../../api/queryClient';
import { AlertWithAction } from '../../components/AlertWithAction';
import { useNow } from '../../components/timers';
import { ACTIONS, isPermitted } from '../actions';
import { NotFound } from '../states';
import type { InboxPageState } from '../useInboxPage';
import { addLabel } from '../../components/matchers';
import { Detail } from './Detail';
import { ThreadActions } from './ThreadActions';
import { Dropdown, IconButton, LoadingPlaceholder, Menu, Stack, Button } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { NotificationDetail } from '@nodebell/contract/notification.ts';
import { packagesQuery } from '../../api/packages';
import { categoryName, menuName, shortName } from '../../components/messages';
import { pathTo } from '../../routes';
import { SmallButton } from '../../components/SmallButton';
import { toast } from '../../api/toast';

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
  if (detail.gone || detail.absent) {
    return <NotFound ofAlert={!detail.gone} onBack={() => handlers.open(undefined)} />;
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
      onOpen={handlers.open}
      onShowOnly={({ label, ...filter }) =>
        page.setView({
          ...filter,
          ...(label && { matchers: addLabel(page.view.matchers, ...label) }),
          ...(alone && { id: undefined }),
        })
      }
      run={handlers.run}
      runAsync={handlers.runAsync}
      rootRef={page.detailRef}
    />
  );
}

function NotLoaded({ failure }: { failure: InboxPageState['detail']['failure'] }) {
  return failure ? (
    <AlertWithAction
      severity="error"
      title={t('inbox.detail.failed', 'Could not load the notification')}
      action={
        <SmallButton icon="sync" onClick={failure.retry}>
          {t('parts.error.retry', 'Retry now')}
        </SmallButton>
      }
    >
      {explain(failure.error)}
    </AlertWithAction>
  ) : (
    <LoadingPlaceholder text={t('inbox.detail.loading', 'Loading…')} />
  );
}

/** Actions for the displayed notification. */
export function DetailTools({ page }: Pick<Props, 'page'>) {
  const { detail, handlers, disabled } = page;
  const { notification, unread } = detail;
  if (!notification) {
    return null;
  }
  const { category, errors } = notification;
  const { run, switchCategory, targetsOf } = handlers;
  const icon = (id: 'read' | 'unread' | 'delete', wholeThreads?: true) =>
    isPermitted(id, errors !== undefined) && (
      <IconButton
        name={ACTIONS[id].icon}
        size="lg"
        tooltip={ACTIONS[id].label()}
        disabled={disabled}
        onClick={() => run(id, targetsOf([notification], wholeThreads))}
      />
    );
  return (
    <Stack gap={1.5} alignItems="center">
      {icon(unread ? 'read' : 'unread', true)}
      {switchCategory && (
        <IconButton
          name="bell-slash"
          size="lg"
          tooltip={t('inbox.action.mute', 'Mute {{name}}', { name: categoryName(category) })}
          disabled={disabled}
          onClick={() => switchCategory(category, false)}
        />
      )}
      {icon('delete')}
      <Dropdown
        placement="bottom-end"
        overlay={() => <MoreMenu notification={notification} onShowOnly={page.setView} />}
      >
        <IconButton name="ellipsis-v" size="lg" aria-label={t('inbox.action.more', 'More actions')} />
      </Dropdown>
    </Stack>
  );
}

async function copyLink() {
  const { pathname, search, hash } = locationService.getLocation() as Location;
  const link = window.location.origin + locationUtil.assureBaseUrl(pathname + search + hash);
  try {
    await navigator.clipboard.writeText(link);
    toast(AppEvents.alertSuccess, t('inbox.link.copied', 'Link copied'));
  } catch {
    toast(
      AppEvents.alertWarning,
      t('inbox.link.failed', 'Could not copy the link'),
      t('inbox.link.failed-text', 'Copy it from the address bar of the browser.')
    );
  }
}

interface MoreMenuProps {
  notification: NotificationDetail;
  onShowOnly: (filter: { categories: string[] } | { packages: string[] }) => void;
}

function MoreMenu({ notification, onShowOnly }: MoreMenuProps) {
  const { category, dnpName } = notification;
  const sets = useQuery(packagesQuery()).data?.some((one) => one.dnpName === dnpName && one.endpoints > 0);
  return (
    <Menu ariaLabel={t('inbox.action.more', 'More actions')}>
      <Menu.Item label={t('inbox.action.copy-link', 'Copy link')} icon="link" onClick={() => void copyLink()} />
      {sets && (
        <Menu.Item
          label={t('inbox.action.thresholds', 'Thresholds of {{name}}', { name: menuName(shortName(dnpName)) })}
          icon="sliders-v-alt"
          onClick={() => locationService.push(pathTo.thresholdsOf(dnpName))}
        />
      )}
      <Menu.Divider />
      <Menu.Item
        label={t('inbox.action.only', 'Show only {{name}}', { name: menuName(categoryName(category)) })}
        icon="filter"
        onClick={() => onShowOnly({ categories: [category] })}
      />
      <Menu.Item
        label={t('inbox.action.only', 'Show only {{name}}', { name: menuName(shortName(dnpName)) })}
        icon="filter"
        onClick={() => onShowOnly({ packages: [dnpName] })}
      />
      <ThreadActions notification={notification} />
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
