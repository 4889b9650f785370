import { Badge } from '@grafana/ui';
import { PluginPage, type PluginPageProps } from '@grafana/runtime';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { BridgeError } from '../api/errors';
import { t, Trans } from '../i18n/t';
import { AlertWithAction } from './AlertWithAction';
import { BreakWords } from './BreakWords';
import { useNow } from './timers';
import { clockTime } from './moments';
import { SmallButton } from './SmallButton';
import { type PageName, usePageNav } from './usePageNav';

interface LivePageProps extends Omit<PluginPageProps, 'info' | 'layout' | 'pageNav'> {
  page: PageName;
  /** Title, if it is a page below that one. */
  child?: string;
  bridgeUrl: string;
  /** The data of the page. */
  query: Pick<UseQueryResult, 'data' | 'dataUpdatedAt' | 'error' | 'refetch'>;
  /** Instead of that of the query; null when the page shows it itself. */
  error?: BridgeError | null;
  /** Without it, the page does not retry by itself. */
  live?: { cut?: boolean; nextTry: number | undefined; retry: () => void };
}

/** A page with live data: shows errors, the age of stale data and a button to retry. */
export function LivePage({ page, child, bridgeUrl, query, live, actions, children, ...props }: LivePageProps) {
  const { data, dataUpdatedAt, refetch } = query;
  const { error = query.error, ...others } = props;
  return (
    <PluginPage
      {...others}
      pageNav={usePageNav(page, child)}
      actions={
        <>
          <LiveBadge cut={live?.cut === true && !error} />
          {actions}
        </>
      }
    >
      {error && (
        <ErrorAlert
          error={error}
          bridgeUrl={bridgeUrl}
          loadedAt={data === undefined ? undefined : dataUpdatedAt}
          nextTry={live?.nextTry}
          onRetry={live?.retry ?? (() => void refetch())}
        />
      )}
      <BreakWords>{children}</BreakWords>
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

interface ErrorAlertProps {
  error: BridgeError;
  bridgeUrl: string;
  /** When the data on the screen was loaded, UTC milliseconds; undefined when nothing was loaded. */
  loadedAt: number | undefined;
  /** When the page retries by itself, UTC milliseconds. */
  nextTry: number | undefined;
  onRetry: () => void;
}

/** Why the page cannot be refreshed, when it retries, and how old the data on the screen is. */
export function ErrorAlert({ error, bridgeUrl, loadedAt, nextTry, onRetry }: ErrorAlertProps) {
  const { title, text } = describeError(error, bridgeUrl);
  return (
    <AlertWithAction
      severity="error"
      role="status"
      title={title}
      action={
        <SmallButton icon="sync" onClick={onRetry}>
          {t('parts.error.retry', 'Retry now')}
        </SmallButton>
      }
    >
      {text}{' '}
      {loadedAt &&
        t('parts.error.below', 'Showing data loaded at {{time}}.', {
          time: clockTime(new Date(loadedAt).toISOString()),
        })}{' '}
      {nextTry !== undefined && <Countdown until={nextTry} />}
    </AlertWithAction>
  );
}

function Countdown({ until }: { until: number }) {
  const left = Math.max(0, Math.ceil((until - useNow(1000)) / 1000));
  return (
    <span aria-hidden>
      {left > 0
        ? t('parts.error.next', 'Retrying in {{seconds}} s.', { seconds: left })
        : t('parts.error.trying', 'Retrying…')}
    </span>
  );
}

function describeError(error: BridgeError, bridgeUrl: string): { title: string; text: ReactNode } {
  switch (error.kind) {
    case 'unreachable':
      return error.status
        ? {
            title: t('parts.error.bridge-title', 'The Nodebell bridge is not responding'),
            text: (
              <Trans i18nKey="parts.error.bridge-text" values={{ bridgeUrl }}>
                Grafana cannot reach <code>{'{{bridgeUrl}}'}</code>: the service is stopped or the address is wrong.
                Stored notifications are not affected.
              </Trans>
            ),
          }
        : {
            title: t('parts.error.grafana-title', 'Grafana is not responding'),
            text: t(
              'parts.error.grafana-text',
              'The connection to Grafana failed. Stored notifications are not affected.'
            ),
          };
    case 'token':
      return {
        title: t('parts.error.token-title', 'The bridge rejected the token'),
        text: t(
          'parts.error.token-text',
          'The bridgeToken configured in Grafana is not the admin token of the bridge.'
        ),
      };
    case 'role':
      return {
        title: t('parts.error.access-title', 'Grafana denied access'),
        text: t(
          'parts.error.access-text',
          'You are signed out, you do not have access to this app, or Grafana was not restarted after the app was installed.'
        ),
      };
    case 'refused':
    case 'invalid':
      return { title: t('parts.error.refused-title', 'The bridge rejected the request'), text: error.message };
    case 'failed':
      return { title: t('parts.error.failed-title', 'Internal error in the bridge'), text: error.message };
    case 'busy':
      return { title: t('parts.error.busy-title', 'The bridge is busy'), text: error.message };
    default:
      return {
        title: t('parts.error.foreign-title', 'Unexpected response'),
        text: error.status ? (
          <Trans i18nKey="parts.error.foreign-status" values={{ bridgeUrl, status: error.status }}>
            The service at <code>{'{{bridgeUrl}}'}</code> is not the bridge of this version of the app (status{' '}
            {'{{status}}'}). Check the address and the version of the bridge.
          </Trans>
        ) : (
          <Trans i18nKey="parts.error.foreign-text" values={{ bridgeUrl }}>
            The service at <code>{'{{bridgeUrl}}'}</code> is not the bridge of this version of the app. Check the
            address and the version of the bridge.
          </Trans>
        ),
      };
  }
}
