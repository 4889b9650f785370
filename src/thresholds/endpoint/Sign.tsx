import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Icon, useStyles2 } from '@grafana/ui';
import type { ReactNode } from 'react';
import { toneStyles } from '../../components/StateText';
import { WithCode } from '../../components/WithCode';
import type { EndpointSign } from '../messages';
import { explainChange } from '../../api/queryClient';
import { t } from '../../i18n/t';
import type { Failure } from '../useSaving';
import { SmallButton } from '../../components/SmallButton';

/** An icon with a message of any length, and optional actions. */
export function Sign({ icon, tone, text, children }: EndpointSign & { children?: ReactNode }) {
  const styles = useStyles2(getStyles);
  const tones = useStyles2(toneStyles);
  return (
    <div className={styles.sign}>
      <span className={styles.icon}>
        <Icon name={icon} size="sm" className={tones[tone]} />
      </span>
      <Box element="span" minWidth={0} dir="auto">
        <WithCode text={text} /> {children}
      </Box>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  sign: css({
    display: 'flex',
    gap: theme.spacing(0.75),
    minWidth: 0,
    fontSize: theme.typography.bodySmall.fontSize,
    lineHeight: theme.typography.bodySmall.lineHeight,
    color: theme.colors.text.secondary,
    // Inline buttons must not raise the line height.
    '& button': { height: 'auto', minHeight: 0, lineHeight: 'inherit' },
  }),
  icon: css({ flex: 'none', lineHeight: 1, paddingTop: 2 }),
});

/** Error message next to its control; announced to screen readers. */
export function Problem({ id, children }: { id?: string; children: ReactNode }) {
  const styles = useStyles2(getProblemStyles);
  return (
    <div id={id} role="alert" className={styles.problem}>
      <Icon name="exclamation-circle" size="sm" className={styles.icon} />
      <div>{children}</div>
    </div>
  );
}

const getProblemStyles = (theme: GrafanaTheme2) => ({
  problem: css({
    display: 'flex',
    gap: theme.spacing(0.75),
    marginTop: theme.spacing(0.5),
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.error.text,
    overflowWrap: 'anywhere',
  }),
  icon: css({ flex: 'none', marginTop: 2 }),
});

/** Error of a change that was reverted because it could not be saved. */
export function NotSaved({ failure, stays }: { failure: Failure; stays?: string }) {
  return (
    <Problem>
      {notSaved(explainChange(failure.error), stays)}{' '}
      <SmallButton fill="text" icon="sync" onClick={failure.retry}>
        {t('thresholds.saving.retry', 'Retry')}
      </SmallButton>
    </Problem>
  );
}

const notSaved = (reason: string, stays: string | undefined): string =>
  stays === undefined
    ? t('thresholds.saving.failed', 'Not saved: {{reason}}', { reason })
    : t('thresholds.saving.failed-stays', 'Not saved, {{amount}} stays in effect: {{reason}}', {
        reason,
        amount: stays,
      });
