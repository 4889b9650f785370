import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Stack, useStyles2 } from '@grafana/ui';
import type { PackageEndpoint } from '@nodebell/contract/package.ts';
import { t, Trans } from '../i18n/t';
import { StateText } from '../components/StateText';
import { AuthorMarkdown } from './AuthorMarkdown';
import { endpointFacts } from './messages';
import { List } from '../components/List';

/** The notification endpoints that a package defines, with their defaults. */
export function Endpoints({ endpoints }: { endpoints: readonly PackageEndpoint[] }) {
  const styles = useStyles2(getStyles);
  return (
    <List aria-label={t('packages.endpoint.list', 'Endpoints')}>
      {endpoints.map((one) => (
        <li key={`${one.kind} ${one.correlationId}`} className={styles.endpoint}>
          <Stack rowGap={0} columnGap={2} wrap justifyContent="space-between" dir="auto">
            <span className={styles.title}>{one.title}</span>
            <StateText
              icon={one.enabled ? 'bell' : 'bell-slash'}
              tone="secondary"
              text={
                one.enabled
                  ? t('packages.endpoint.on', 'Enabled by default')
                  : t('packages.endpoint.off', 'Disabled by default')
              }
            />
          </Stack>
          {one.description && <AuthorMarkdown text={one.description} />}
          <div className={styles.facts}>
            {one.condition !== undefined && (
              <span>
                <Trans i18nKey="packages.endpoint.healthy" values={{ condition: one.condition }}>
                  healthy while <code className={styles.code}>{'{{condition}}'}</code>
                </Trans>
              </span>
            )}
            {endpointFacts(one).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </div>
        </li>
      ))}
    </List>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  endpoint: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.5),
    padding: theme.spacing(1.5, 0),
    overflowWrap: 'anywhere',
    '&:not(:last-child)': { borderBottom: `1px solid ${theme.colors.border.weak}` },
  }),
  title: css({ fontWeight: theme.typography.fontWeightMedium, minWidth: 0 }),
  facts: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0.5, 2),
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
  code: css({ color: theme.colors.text.primary, whiteSpace: 'pre-wrap' }),
});
