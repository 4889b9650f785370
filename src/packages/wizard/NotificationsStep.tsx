import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { InlineSwitch, useStyles2 } from '@grafana/ui';
import type { Endpoint, PackageSettings } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { addToDraft, withDraft } from '../../thresholds/draft';
import { EndpointRow } from '../../thresholds/endpoint/EndpointRow';
import type { Wizard } from './useWizard';

/** What the package's notifications file defines, to be set before the first of them comes. */
export function NotificationsStep({ wizard }: { wizard: Wizard }) {
  const styles = useStyles2(getStyles);
  const { preview, settings } = wizard.draft;
  const endpoints = preview?.endpoints ?? [];
  const packageOn = settings.enabled ?? !endpoints.some(({ mutedBy }) => mutedBy.includes('package'));
  return (
    <div className={styles.column}>
      <div className={styles.top}>
        <p className={styles.quiet}>
          {t(
            'packages.settings.text',
            'Choose which notifications to receive and set their thresholds. Settings are saved on registration and kept on update. You can change them on the Thresholds page.'
          )}
        </p>
        <InlineSwitch
          label={t('packages.settings.notify', 'Notify')}
          showLabel
          value={packageOn}
          onChange={({ currentTarget }) => wizard.setSettings({ ...settings, enabled: currentTarget.checked })}
        />
      </div>
      <ul className={styles.list} aria-label={t('packages.endpoint.list', 'Endpoints')}>
        {endpoints.map((endpoint) => (
          <EndpointRow
            key={`${endpoint.kind} ${endpoint.correlationId}`}
            endpoint={withDraft(endpoint, settings)}
            explained={!packageOn}
            save={(patch) => save(wizard, settings, endpoint, patch)}
          />
        ))}
      </ul>
    </div>
  );
}

/** Nothing is sent yet, so it cannot fail. */
function save(wizard: Wizard, settings: PackageSettings, endpoint: Endpoint, patch: Parameters<typeof addToDraft>[2]) {
  wizard.setSettings(addToDraft(settings, endpoint, patch));
  return Promise.resolve();
}

const getStyles = (theme: GrafanaTheme2) => ({
  column: css({ maxWidth: 960, container: 'thresholds / inline-size' }),
  top: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 3),
    marginBottom: theme.spacing(2),
  }),
  quiet: css({ flex: '1 1 320px', maxWidth: 640, color: theme.colors.text.secondary, margin: 0 }),
  list: css({
    listStyle: 'none',
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
    '& > li:first-child': { borderTop: 'none' },
  }),
});
