import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Stack, Text, useStyles2 } from '@grafana/ui';
import type { ComponentProps, ReactNode } from 'react';

type Props = Omit<ComponentProps<typeof Alert>, 'action' | 'buttonContent' | 'ref'> & { action: ReactNode };

/** An alert with buttons. Grafana's own supports them only from version 13. */
export function AlertWithAction({ action, title, children, ...alert }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <Alert aria-label={title} {...alert} title="">
      <div className={styles.row}>
        <div className={styles.text}>
          <Text weight="medium">{title}</Text>
          {children && <div>{children}</div>}
        </div>
        <Stack wrap alignItems="center">
          {action}
        </Stack>
      </div>
    </Alert>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  // Grafana's box clips its content, so the focus ring of a button needs padding.
  row: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0.5, 1),
    padding: theme.spacing(0.5),
    margin: theme.spacing(0, -0.5),
  }),
  // On a phone, buttons are below it.
  text: css({
    flex: '1 1 max(50%, 220px)',
    minWidth: 0,
    overflowWrap: 'anywhere',
    '& > div': { paddingTop: theme.spacing(0.5) },
  }),
});
