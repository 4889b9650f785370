import { config } from '@grafana/runtime';
import { Text } from '@grafana/ui';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EventsProvider } from '../api/EventsProvider';
import { t } from '../i18n/t';

/**
 * The frame of every panel. Grafana rejects all plugin requests of anonymous viewers of a public dashboard, so none are sent there.
 * @param client shared by all panels of a kind, so that those of one dashboard share requests
 */
export function PanelShell({ client, children }: { client: QueryClient; children: ReactNode }) {
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
