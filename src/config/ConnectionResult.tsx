import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Box, Icon, type IconName, useStyles2 } from '@grafana/ui';
import { t } from '../i18n/t';
import { toneStyles, type Tone } from '../components/StateText';
import { WithCode } from '../components/WithCode';
import type { Check, CheckState, Diagnosis } from './diagnosis';

const STATE_ICONS: Record<CheckState, { icon: IconName; tone: Tone }> = {
  ok: { icon: 'check-circle', tone: 'success' },
  failed: { icon: 'times-circle', tone: 'error' },
  warned: { icon: 'exclamation-triangle', tone: 'warning' },
  unknown: { icon: 'question-circle', tone: 'secondary' },
  'not-reached': { icon: 'minus-circle', tone: 'secondary' },
};

const STATE_LABELS: Record<CheckState, () => string> = {
  ok: () => t('config.check.passed', 'passed'),
  failed: () => t('config.check.failed', 'failed'),
  warned: () => t('config.check.warning', 'warning'),
  unknown: () => t('config.check.unknown', 'unknown'),
  'not-reached': () => t('config.check.skipped', 'skipped'),
};

/** The cause, how to fix it, and the checks. */
export function ConnectionResult({ diagnosis: { severity, title, text, checks } }: { diagnosis: Diagnosis }) {
  const styles = useStyles2(getStyles);
  return (
    <Alert severity={severity} role="status" title={title}>
      <p className={styles.text}>
        <WithCode text={text} />
      </p>
      <ul className={styles.checks} aria-label={t('config.check.list', 'Checks')}>
        {checks.map((check) => (
          <CheckLine key={check.label} {...check} />
        ))}
      </ul>
    </Alert>
  );
}

function CheckLine({ label, state, detail }: Check) {
  const styles = useStyles2(getStyles);
  const { icon, tone } = STATE_ICONS[state];
  const quiet = state === 'not-reached' || state === 'unknown';
  return (
    <li className={cx(styles.check, quiet && styles.quiet)} data-state={state}>
      <Icon name={icon} className={styles[tone]} title={STATE_LABELS[state]()} />
      <Box element="span" width="124px" shrink={0}>
        {label}
      </Box>
      <span className={styles.detail}>{detail}</span>
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({ margin: theme.spacing(0, 0, 1), overflowWrap: 'anywhere' }),
  checks: css({ listStyle: 'none', display: 'grid', gap: theme.spacing(0.5) }),
  check: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(0, 0.5) }),
  quiet: css({ color: theme.colors.text.secondary }),
  detail: css({ flex: '1 1 0', minWidth: 90, color: theme.colors.text.secondary, overflowWrap: 'anywhere' }),
  ...toneStyles(theme),
});
