import { Button, ClipboardButton, EmptyState } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../api/settings';
import { t } from '../i18n/t';
import { may } from '../api/permissions';
import { NoMatch } from '../components/NoMatch';
import { curlLine } from '../components/curlLine';
import { type View, clearFilters, hasFilters } from './view';
import type { SetView } from './useInbox';

/** No notification has been received yet. */
function FirstRun({ bridgeUrl }: { bridgeUrl: string }) {
  // Only admins may see whether senders need a token.
  const { data: status } = useQuery({ ...statusQuery, enabled: may('bridge:admin') });
  return (
    <EmptyState
      variant="completed"
      message={t('inbox.empty.all', 'No notifications')}
      button={
        <ClipboardButton icon="copy" variant="secondary" getText={() => curlLine(bridgeUrl, status)}>
          {t('inbox.empty.copy', 'Copy curl command for a test notification')}
        </ClipboardButton>
      }
    >
      {t(
        'inbox.empty.first',
        'No notifications received yet. Packages, Grafana Alerting, Alertmanager and Gatus can send notifications here.'
      )}
    </EmptyState>
  );
}

const EMPTY: Record<View['tab'], () => { message: string; text: string }> = {
  all: () => ({
    message: t('inbox.empty.all', 'No notifications'),
    text: t('inbox.empty.all-text', 'The inbox is empty. New notifications appear here automatically.'),
  }),
  unread: () => ({
    message: t('inbox.empty.unread', 'No unread notifications'),
    text: t('inbox.empty.unread-text', 'You have read all notifications.'),
  }),
  open: () => ({
    message: t('inbox.empty.open', 'No open threads'),
    text: t('inbox.empty.open-text', 'All threads are resolved.'),
  }),
  muted: () => ({
    message: t('inbox.empty.muted', 'No muted notifications'),
    text: t('inbox.empty.muted-text', 'Notifications that arrive in a muted category are stored here.'),
  }),
  errors: () => ({
    message: t('inbox.empty.errors', 'No delivery errors'),
    text: t('inbox.empty.errors-text', 'Notifications for which the sender reported an error are listed here.'),
  }),
};

/** The tab is empty without any filter. */
function NothingHere({ tab }: { tab: View['tab'] }) {
  const { message, text } = EMPTY[tab]();
  return (
    <EmptyState variant="completed" message={message}>
      {text}
    </EmptyState>
  );
}

interface NotFoundProps {
  /** No notification came of the linked alert. */
  ofAlert: boolean;
  onBack: () => void;
}

/** The link opens nothing. */
export const NotFound = ({ ofAlert, onBack }: NotFoundProps) => (
  <EmptyState
    variant="not-found"
    message={
      ofAlert
        ? t('inbox.no-alert.title', 'No notifications for this alert')
        : t('inbox.gone.title', 'Notification not found')
    }
    button={
      <Button variant="secondary" onClick={onBack}>
        {t('inbox.gone.close', 'Close')}
      </Button>
    }
  >
    {ofAlert
      ? t(
          'inbox.no-alert.text',
          'It has not been sent to the Nodebell contact point, was deleted, or is not among the newest 20,000 notifications. Once it arrives, it opens here.'
        )
      : t('inbox.gone.text', 'It was deleted, or the link belongs to another inbox.')}
  </EmptyState>
);

interface EmptyProps {
  view: View;
  setView: SetView;
  bridgeUrl: string;
  /** No notification has been received yet. */
  firstRun: boolean;
}

/** Why the list is empty. */
export function EmptyInbox({ view, setView, bridgeUrl, firstRun }: EmptyProps) {
  if (firstRun) {
    return <FirstRun bridgeUrl={bridgeUrl} />;
  }
  return hasFilters(view) ? (
    <NoMatch
      message={t('inbox.empty.no-match', 'No matching notifications')}
      onClear={() => setView(clearFilters(view))}
    />
  ) : (
    <NothingHere tab={view.tab} />
  );
}
