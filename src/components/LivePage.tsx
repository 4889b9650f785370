import { Badge } from '@grafana/ui';
import { PluginPage, type PluginPageProps } from '@grafana/runtime';
import { useEffect, useState } from 'react';
import type { BridgeError } from '../api/errors';
import { t } from '../i18n/t';
import { ErrorAlert } from './ErrorAlert';

interface LivePageProps extends Omit<PluginPageProps, 'info' | 'layout'> {
  bridgeUrl: string;
  /** The error of the last request; null when it succeeded or when the page shows the error itself. */
  error: BridgeError | null;
  /** When the data on the screen was loaded, UTC milliseconds; undefined when nothing was loaded. */
  loadedAt: number | undefined;
  live: { cut: boolean; nextTry: number | undefined; retry: () => void };
}

/** A page with live data: shows errors, the age of stale data and a button to retry. */
export function LivePage({ bridgeUrl, error, loadedAt, live, actions, children, ...page }: LivePageProps) {
  return (
    <PluginPage
      {...page}
      actions={
        <>
          <LiveBadge cut={live.cut && !error} />
          {actions}
        </>
      }
    >
      {error && (
        <ErrorAlert
          error={error}
          bridgeUrl={bridgeUrl}
          loadedAt={loadedAt}
          nextTry={live.nextTry}
          onRetry={live.retry}
        />
      )}
      {children}
    </PluginPage>
  );
}

/** A reconnection usually takes less time than this, so nothing is shown before. */
const BADGE_DELAY_MS = 4000;

/** Shows that the page polls because the event stream is down. */
export function LiveBadge({ cut }: { cut: boolean }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(cut), cut ? BADGE_DELAY_MS : 0);
    return () => clearTimeout(timer);
  }, [cut]);
  return shown && cut ? (
    <Badge
      color="orange"
      icon="sync"
      text={t('parts.live.checking', 'Polling every 10 s')}
      tooltip={t('parts.live.cut', 'The live connection was lost. The page polls for updates until it is restored.')}
    />
  ) : null;
}
