import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, ClipboardButton, EmptyState, useStyles2 } from '@grafana/ui';
import type { ReactNode } from 'react';
import type { BridgeError } from '../bridge/errors';
import { PLUGIN_ID } from '../routes';
import { mayConfigure } from './access';
import { useNow } from './clock';
import { clockTime } from './words';
import type { View } from './view';

/** A file for Grafana's provisioning/plugins that tells it where the bridge is; Grafana fills in the token. */
const PROVISIONING = `apiVersion: 1
apps:
  - type: ${PLUGIN_ID}
    org_id: 1
    disabled: false
    jsonData:
      bridgeUrl: http://127.0.0.1:8080
    secureJsonData:
      bridgeToken: $NODEBELL_ADMIN_TOKEN
`;

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

/** The plugin does not know a bridge yet. */
export function NotSetUp() {
  const styles = useStyles2(getStyles);
  return (
    <EmptyState
      variant="call-to-action"
      message="The inbox needs its bridge"
      button={
        mayConfigure() ? (
          <ClipboardButton icon="copy" variant="primary" getText={() => PROVISIONING}>
            Copy a provisioning file
          </ClipboardButton>
        ) : undefined
      }
    >
      <div className={styles.words}>
        <p>
          Nodebell keeps notifications in a small service beside Grafana, the bridge: it receives them from packages and
          monitors, stores them and hands them to this page.
        </p>
        <p>
          Start the bridge from the folder <code>backend-bridge</code> of Nodebell, then tell Grafana its address and
          its admin token with a file in <code>provisioning/plugins</code>
          {mayConfigure() ? '.' : ' – an admin of this Grafana can do that.'}
        </p>
      </div>
    </EmptyState>
  );
}

interface TroubleProps {
  error: BridgeError;
  bridgeUrl: string;
  /** When what is on the screen was loaded; undefined when nothing was. */
  loadedAt: number | undefined;
  nextTry: number | undefined;
  onRetry: () => void;
}

/** Why nothing new comes, and what to do about it. Says only what is known. */
export function Trouble({ error, bridgeUrl, loadedAt, nextTry, onRetry }: TroubleProps) {
  const below = loadedAt ? ` Below is what was loaded at ${clockTime(new Date(loadedAt).toISOString())}.` : '';
  const { title, text } = troubleWords(error, bridgeUrl);
  return (
    <Alert
      severity="error"
      role="status"
      title={title}
      action={
        <Button size="sm" variant="secondary" icon="sync" onClick={onRetry}>
          Retry now
        </Button>
      }
    >
      {text}
      {below} {nextTry !== undefined && <Countdown until={nextTry} />}
    </Alert>
  );
}

function Countdown({ until }: { until: number }) {
  const left = Math.max(0, Math.ceil((until - useNow(1000)) / 1000));
  return <span aria-hidden>{left > 0 ? `Next try in ${left} s.` : 'Trying…'}</span>;
}

function troubleWords(error: BridgeError, bridgeUrl: string): { title: string; text: ReactNode } {
  switch (error.kind) {
    case 'unreachable':
      return error.status
        ? {
            title: 'The Nodebell bridge does not answer',
            text: (
              <>
                Grafana got no answer from <code>{bridgeUrl}</code>: the service is stopped, or the address is wrong.
                What it has stored is safe.
              </>
            ),
          }
        : {
            title: 'Grafana does not answer',
            text: 'The connection to Grafana failed. What the bridge has stored is safe.',
          };
    case 'token':
      return {
        title: 'The bridge refuses the token',
        text: 'What Grafana was given as bridgeToken, by provisioning, is not the admin token of the bridge.',
      };
    case 'role':
      return { title: 'Grafana refuses access', text: 'You are signed out, or this app is not enabled for you.' };
    case 'failed':
      return { title: 'The bridge failed', text: error.message };
    case 'busy':
      return { title: 'The bridge is busy', text: error.message };
    default:
      return {
        title: 'Something unexpected answered',
        text: (
          <>
            The service at <code>{bridgeUrl}</code> does not answer as the bridge of this version of the app would
            {error.status ? ` (status ${error.status})` : ''}.
          </>
        ),
      };
  }
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

const getStyles = (theme: GrafanaTheme2) => ({
  words: css({
    maxWidth: 560,
    margin: '0 auto',
    color: theme.colors.text.secondary,
    p: { marginBottom: theme.spacing(1) },
  }),
});
