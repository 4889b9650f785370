import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { config } from '@grafana/runtime';
import { Text, useStyles2 } from '@grafana/ui';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EventsProvider } from '../api/EventsProvider';
import { createQueryClient } from '../api/queryClient';
import { t } from '../i18n/t';
import { SecondaryText } from './SecondaryText';
import { SmallButton } from './SmallButton';

/** The panels of a dashboard share requests. */
export const client = createQueryClient();

/** The frame of every panel. Grafana rejects all plugin requests of anonymous viewers of a public dashboard, so none are sent there. */
export function PanelShell({ children }: { children: ReactNode }) {
  if (config.publicDashboardAccessToken) {
    return (
      <Text element="p" color="secondary">
        {t('panels.note.public', 'Sign in to Grafana to view this panel.')}
      </Text>
    );
  }
  return (
    <QueryClientProvider client={client}>
      <EventsProvider>{children}</EventsProvider>
    </QueryClientProvider>
  );
}

interface Props {
  /** Accessible name. */
  label: string;
  /** The error of the last request. */
  error: string | null;
  onRetry: () => void;
  loading: boolean;
  /** Shown if there is nothing else. */
  empty?: string | undefined;
  children: ReactNode;
}

/** The scrolling content of a panel, with the error of its last request. */
export function PanelContent({ label, error, onRetry, loading, empty, children }: Props) {
  return (
    <div className={useStyles2(getStyle)} tabIndex={0} role="region" aria-label={label}>
      {error !== null && (
        <Text element="p" color="secondary" role="status">
          {error}{' '}
          <SmallButton icon="sync" onClick={onRetry}>
            {t('panels.note.retry', 'Retry')}
          </SmallButton>
        </Text>
      )}
      {loading && <SecondaryText element="p">{t('panels.note.loading', 'Loading…')}</SecondaryText>}
      {empty !== undefined && <SecondaryText element="p">{empty}</SecondaryText>}
      {children}
    </div>
  );
}

const getStyle = (theme: GrafanaTheme2) =>
  css({
    height: '100%',
    overflowY: 'auto',
    overflowWrap: 'anywhere',
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  });
