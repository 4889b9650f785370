import { Button, ClipboardButton, EmptyState } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../api/status';
import { t } from '../i18n/t';
import { may } from '../components/access';
import { curlLine } from '../components/curlLine';
import type { View } from './view';

/** Nothing has ever arrived. */
export function FirstRun({ bridgeUrl }: { bridgeUrl: string }) {
  // Whether senders need a token is told to admins only.
  const { data: status } = useQuery({ ...statusQuery, enabled: may('bridge:admin') });
  return (
    <EmptyState
      variant="completed"
      message={t('inbox.empty.all', 'All quiet')}
      button={
        <ClipboardButton icon="copy" variant="secondary" getText={() => curlLine(bridgeUrl, status)}>
          {t('inbox.empty.copy', 'Copy a curl line that sends a test')}
        </ClipboardButton>
      }
    >
      {t(
        'inbox.empty.first',
        'Nothing has arrived yet. Packages, Grafana Alerting, Alertmanager and Gatus can send here.'
      )}
    </EmptyState>
  );
}

function nothingWords(tab: View['tab']): { message: string; text: string } {
  switch (tab) {
    case 'all':
      return {
        message: t('inbox.empty.all', 'All quiet'),
        text: t('inbox.empty.all-text', 'The inbox is empty. What arrives appears here by itself.'),
      };
    case 'unread':
      return {
        message: t('inbox.empty.unread', 'All read'),
        text: t('inbox.empty.unread-text', 'Nothing is waiting for you.'),
      };
    case 'open':
      return {
        message: t('inbox.empty.open', 'Nothing is open'),
        text: t('inbox.empty.open-text', 'Every thread that was triggered is resolved.'),
      };
    case 'muted':
      return {
        message: t('inbox.empty.muted', 'Nothing is muted'),
        text: t('inbox.empty.muted-text', 'What arrives while its category is muted is kept here.'),
      };
    case 'errors':
      return {
        message: t('inbox.empty.errors', 'No delivery errors'),
        text: t('inbox.empty.errors-text', 'Notifications that their sender reports an error about are kept here.'),
      };
  }
}

/** The tab is empty without any filter. */
export function NothingHere({ tab }: { tab: View['tab'] }) {
  const { message, text } = nothingWords(tab);
  return (
    <EmptyState variant="completed" message={message}>
      {text}
    </EmptyState>
  );
}

export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      variant="not-found"
      message={t('inbox.empty.no-match', 'No notification matches')}
      button={
        <Button variant="secondary" icon="times" onClick={onClear}>
          {t('parts.filters.clear', 'Clear filters')}
        </Button>
      }
    />
  );
}

/** The link led to something that has been deleted. */
export function Gone({ onBack }: { onBack: () => void }) {
  return (
    <EmptyState
      variant="not-found"
      message={t('inbox.gone.title', 'This notification is no longer here')}
      button={
        <Button variant="secondary" onClick={onBack}>
          {t('inbox.gone.close', 'Close')}
        </Button>
      }
    >
      {t('inbox.gone.text', 'It has been deleted, or the link is from another inbox.')}
    </EmptyState>
  );
}
