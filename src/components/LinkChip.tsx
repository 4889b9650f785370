import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, type IconName, useStyles2 } from '@grafana/ui';
import type { ComponentProps } from 'react';

interface Props extends Omit<ComponentProps<'a'>, 'className' | 'ref'> {
  icon: IconName | undefined;
  outlined?: boolean;
  /** Cut if it is too long; undefined: the icon alone. */
  children?: string | undefined;
}

/** A small link with an icon, among others in a row. */
export function LinkChip({ icon, outlined = false, children, ...link }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <a className={cx(styles.chip, outlined && styles.outlined)} {...link}>
      {icon && <Icon name={icon} />}
      {children !== undefined && <span dir="auto">{children}</span>}
    </a>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  chip: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    minWidth: 32,
    maxWidth: '100%',
    padding: theme.spacing(0.5, 1),
    borderRadius: theme.shape.radius.default,
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.primary,
    whiteSpace: 'nowrap',
    '& > span': { overflow: 'hidden', textOverflow: 'ellipsis' },
    '& > svg': { flex: 'none' },
    '&:hover': { background: theme.colors.action.hover },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
  outlined: css({ minHeight: 24, padding: theme.spacing(0, 0.5), border: `1px solid ${theme.colors.border.weak}` }),
});
