import { AppEvents } from '@grafana/data';
import { getAppEvents } from '@grafana/runtime';
import { t } from '../../i18n/t';
import { may } from '../../components/access';
import { useNow } from '../../components/timers';
import { Gone } from '../states';
import type { InboxPageState } from '../useInboxPage';
import { Detail } from './Detail';
import { DetailActions } from './DetailActions';

interface Props {
  page: InboxPageState;
  /** It takes the place of the page, whose header has the icons. */
  alone?: boolean;
}

/** The notification that is chosen, or that it is gone. */
export function DetailPart({ page, alone = false }: Props) {
  const now = useNow();
  const { detail, handlers, disabled } = page;
  const { notification } = detail;
  if (detail.gone) {
    return <Gone onBack={() => handlers.open(undefined)} />;
  }
  return notification ? (
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
    />
  ) : null;
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
