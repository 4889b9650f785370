import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, ClipboardButton, EmptyState, Text, useStyles2 } from '@grafana/ui';
import { t, Trans } from '../i18n/t';
import { CONFIG_URL, PLUGIN_ID } from '../routes';
import { mayConfigure } from './access';
import { linkProps } from './links';
import { config } from '@grafana/runtime';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EventsProvider } from '../api/EventsProvider';
import { BreakWords } from './BreakWords';

/** A provisioning file with the address of the bridge; Grafana fills in the token from its environment. */
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

/** Shown while no bridge is configured. */
export function NotSetUp() {
  const styles = useStyles2(getStyles);
  return (
    <EmptyState
      variant="call-to-action"
      message={t('parts.not-set-up.title', 'The Nodebell bridge is not configured')}
      button={
        mayConfigure() ? (
          <ClipboardButton icon="copy" variant="primary" getText={() => PROVISIONING}>
            {t('parts.not-set-up.copy', 'Copy provisioning file')}
          </ClipboardButton>
        ) : undefined
      }
    >
      <div className={styles.text}>
        <p>
          {t(
            'parts.not-set-up.what',
            'Nodebell stores notifications in the bridge, a small service that runs next to Grafana. It receives them from packages and monitors and serves them to this page.'
          )}
        </p>
        <p>
          {mayConfigure() ? (
            <Trans i18nKey="parts.not-set-up.how">
              Start the bridge from the folder <code>backend-bridge</code> of Nodebell, then configure its address and
              admin token on the <a {...linkProps(CONFIG_URL)}>configuration page</a> or with a file in{' '}
              <code>provisioning/plugins</code>.
            </Trans>
          ) : (
            <Trans i18nKey="parts.not-set-up.how-admin">
              An admin of this Grafana must start the bridge from the folder <code>backend-bridge</code> of Nodebell and
              configure its address and admin token.
            </Trans>
          )}
        </p>
      </div>
    </EmptyState>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({
    maxWidth: 560,
    margin: '0 auto',
    color: theme.colors.text.secondary,
    p: { marginBottom: theme.spacing(1) },
    a: { color: theme.colors.text.link, textDecoration: 'underline' },
  }),
});

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
      <EventsProvider>
        <BreakWords>{children}</BreakWords>
      </EventsProvider>
    </QueryClientProvider>
  );
}

/** The error of a panel's last request, with a button to retry. */
export function PanelError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Text element="p" color="secondary" role="status">
      {message}{' '}
      <Button size="sm" variant="secondary" icon="sync" onClick={onRetry}>
        {t('panels.note.retry', 'Retry')}
      </Button>
    </Text>
  );
}
