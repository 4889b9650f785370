import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import type { ReactNode } from 'react';

/** Error message next to its control; announced to screen readers. */
export function Problem({ id, children }: { id?: string; children: ReactNode }) {
  const styles = useStyles2(getStyles);
  return (
    <div id={id} role="alert" className={styles.problem}>
      <Icon name="exclamation-circle" size="sm" className={styles.icon} />
      <div>{children}</div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
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
