import { Button, ClipboardButton, EmptyState } from '@grafana/ui';
import type { View } from './view';

/** A line for a terminal that sends a notification to the bridge. */
export function curlLine(bridgeUrl: string): string {
  const body = JSON.stringify({
    title: 'Test notification',
    body: 'Sent from a terminal with **curl**.',
    category: 'other',
    dnpName: 'test.dnp.dappnode.eth',
  });
  const address = `${bridgeUrl.replace(/\/+$/, '')}/api/v1/notifications`;
  return `curl -X POST '${address.replaceAll("'", '%27')}' -H 'Content-Type: application/json' -d '${body}'`;
}

/** Nothing has ever arrived. */
export function FirstRun({ bridgeUrl }: { bridgeUrl: string }) {
  return (
    <EmptyState
      variant="completed"
      message="All quiet"
      button={
        <ClipboardButton icon="copy" variant="secondary" getText={() => curlLine(bridgeUrl)}>
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
