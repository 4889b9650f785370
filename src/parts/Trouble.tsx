import { Button } from '@grafana/ui';
import type { ReactNode } from 'react';
import type { BridgeError } from '../bridge/errors';
import { AlertWithAction } from './AlertWithAction';
import { useNow } from './useNow';
import { clockTime } from './moments';

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
    <AlertWithAction
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
    </AlertWithAction>
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
