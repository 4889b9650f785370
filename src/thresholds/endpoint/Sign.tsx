import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import type { ReactNode } from 'react';
import { toneStyles } from '../../components/StateText';
import type { EndpointSign } from '../messages';

/** An icon with a message of any length, and optional actions. */
export function Sign({ icon, tone, text, children }: EndpointSign & { children?: ReactNode }) {
  const styles = useStyles2(getStyles);
  const tones = useStyles2(toneStyles);
  return (
    <div className={styles.sign}>
      <span className={styles.icon}>
        <Icon name={icon} size="sm" className={tones[tone]} />
      </span>
      <span className={styles.text} dir="auto">
        {text} {children}
      </span>
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
  text: css({ minWidth: 0, overflowWrap: 'anywhere' }),
});
