import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import { memo } from 'react';
import { linkProps } from '../../components/links';
import { t } from '../../i18n/t';
import type { ExternalRule, RulerRules } from './external';
import { ruleCount, ruleDetails, ruleError } from './messages';
import { urlSegment } from '@nodebell/contract/url.ts';

/** A data source, and why its rules are only shown. */
export function RulerHead({ of: { ruler, rules, error } }: { of: RulerRules }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.head}>
      <h2 className={styles.source}>
        <Icon name="database" /> <span dir="auto">{ruler.name}</span>
        {!error && <span className={styles.quiet}>{ruleCount(rules.length)}</span>}
      </h2>
      <p className={styles.quiet}>
        {error
          ? t('thresholds.rules.external.failed', 'Could not load these rules: {{why}}', { why: ruleError(error) })
          : t(
              'thresholds.rules.external.read-only',
              'Read-only: the data source evaluates these rules, and their thresholds are part of a query.'
            )}
      </p>
    </div>
  );
}

/** A rule of a data source, with its query and a link to Grafana's page of it. */
export const ExternalRow = memo(function ExternalRow({ source, rule }: { source: string; rule: ExternalRule }) {
  const styles = useStyles2(getStyles);
  const { title, query, file } = rule;
  const href = `/alerting/${urlSegment(source)}/${urlSegment(title)}/find`;
  return (
    <div className={styles.row}>
      <h3 className={styles.title}>
        <a className={styles.link} dir="auto" {...linkProps(href)}>
          {title}
        </a>
      </h3>
      <code className={styles.query} dir="ltr">
        {query}
      </code>
      <span className={styles.quiet}>{[ruleDetails(rule), file].filter(Boolean).join(' · ')}</span>
    </div>
  );
});

const getStyles = (theme: GrafanaTheme2) => {
  const quiet = css({
    margin: 0,
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontWeight: theme.typography.fontWeightRegular,
    overflowWrap: 'anywhere',
  });
  return {
    quiet,
    head: css({ padding: theme.spacing(2, 0, 1) }),
    source: css({
      ...theme.typography.h5,
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      margin: 0,
      overflowWrap: 'anywhere',
    }),
    row: css({
      display: 'flex',
      flexDirection: 'column',
      alignItems: 'flex-start',
      gap: theme.spacing(0.25),
      padding: theme.spacing(1, 2),
      marginBottom: theme.spacing(0.5),
      border: `1px solid ${theme.colors.border.weak}`,
      borderRadius: theme.shape.radius.default,
      background: theme.colors.background.canvas,
    }),
    title: css({ margin: 0, fontSize: theme.typography.body.fontSize, overflowWrap: 'anywhere' }),
    link: css({ color: theme.colors.text.link, '&:hover, &:focus-visible': { textDecoration: 'underline' } }),
    query: css({ maxWidth: '100%', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
  };
};
