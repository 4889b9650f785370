import { config } from '@grafana/runtime';
import { Text } from '@grafana/ui';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EventsProvider } from '../api/EventsProvider';
import { t } from '../i18n/t';

/**
 * What every panel stands in. Whoever looks at a dashboard that is shared publicly is nobody to Grafana, which then passes nothing on
 * to a plugin: asking again and again would bring nothing but refusals.
 * @param client one for all panels of a kind, so that those of one dashboard ask once
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
