import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2, type IconName } from '@grafana/ui';
import { toneStyles } from './toneStyles';
import type { Tone } from './words';

/** A state is always a sign and a word. Resolved keeps its word grey: it asks for nothing. */
export function StateText({ icon, tone, text }: { icon: IconName; tone: Tone; text: string }) {
  const styles = useStyles2(getStyles);
  return (
    <span className={cx(styles.box, tone === 'error' && styles.error)}>
      <Icon name={icon} size="sm" className={styles[tone]} />
      <span>{text}</span>
    </span>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  box: css({
    display: 'inline-flex',
    flex: 'none',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    color: `var(--quiet, ${theme.colors.text.secondary})`,
    fontSize: theme.typography.bodySmall.fontSize,
    whiteSpace: 'nowrap',
    '& > svg, & > div': { flex: 'none' },
  }),
  ...toneStyles(theme),
  secondary: css({ color: 'inherit' }),
});
