import { Button, ClipboardButton, EmptyState } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../bridge/status';
import { may } from '../parts/access';
import { curlLine } from '../parts/curlLine';
import type { View } from './view';

/** Nothing has ever arrived. */
export function FirstRun({ bridgeUrl }: { bridgeUrl: string }) {
  // Whether senders need a token is told to admins only.
  const { data: status } = useQuery({ ...statusQuery, enabled: may('bridge:admin') });
  return (
    <EmptyState
      variant="completed"
      message="All quiet"
      button={
        <ClipboardButton icon="copy" variant="secondary" getText={() => curlLine(bridgeUrl, status)}>
          Copy a curl line that sends a test
        </ClipboardButton>
      }
    >
      Nothing has arrived yet. Packages, Grafana Alerting, Alertmanager and Gatus can send here.
    </EmptyState>
  );
}

const NOTHING: Record<View['tab'], [message: string, text: string]> = {
  all: ['All quiet', 'The inbox is empty. What arrives appears here by itself.'],
  unread: ['All read', 'Nothing is waiting for you.'],
  open: ['Nothing is open', 'Every thread that was triggered is resolved.'],
  muted: ['Nothing is muted', 'What arrives while its category is muted is kept here.'],
  errors: ['No delivery errors', 'Notifications that their sender reports an error about are kept here.'],
};

/** The tab is empty without any filter. */
export function NothingHere({ tab }: { tab: View['tab'] }) {
  const [message, text] = NOTHING[tab];
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
      message="No notification matches"
      button={
        <Button variant="secondary" icon="times" onClick={onClear}>
          Clear filters
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
      message="This notification is no longer here"
      button={
        <Button variant="secondary" onClick={onBack}>
          Close
        </Button>
      }
    >
      It has been deleted, or the link is from another inbox.
    </EmptyState>
  );
}
