import { ClipboardButton, EmptyState, Stack } from '@grafana/ui';
import { t, Trans } from '../i18n/t';
import { CONFIG_URL, PLUGIN_ID } from '../routes';
import { mayConfigure } from '../api/permissions';
import { linkProps } from './links';

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
      <Stack direction="column">
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
      </Stack>
    </EmptyState>
  );
}
