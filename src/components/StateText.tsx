import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2, type IconName } from '@grafana/ui';

/** The colour of an icon. */
export type Tone = 'error' | 'warning' | 'success' | 'info' | 'secondary';

export const toneStyles = (theme: GrafanaTheme2): Record<Tone, string> => ({
  error: css({ color: theme.colors.error.text }),
  warning: css({ color: theme.colors.warning.text }),
  info: css({ color: theme.colors.info.text }),
  success: css({ color: theme.colors.success.text }),
  secondary: css({ color: theme.colors.text.secondary }),
});

/** A state as an icon with text. Only errors colour the text as well. */
export function StateText({ icon, tone, text }: { icon: IconName; tone: Tone; text: string }) {
  const styles = useStyles2(getStyles);
  return (
    <span className={cx(styles.box, tone === 'error' && styles.loud)}>
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
  loud: css({ color: `var(--loud, ${theme.colors.error.text})` }),
  secondary: css({ color: 'inherit' }),
});
