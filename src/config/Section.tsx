import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Text, useStyles2 } from '@grafana/ui';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  text: ReactNode;
  children: ReactNode;
}

/** A titled part of the configuration page. */
export function Section({ title, text, children }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <section aria-label={title}>
      <Text element="h3" variant="h4">
        {title}
      </Text>
      <p className={styles.text}>{text}</p>
      {children}
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({
    margin: theme.spacing(0.5, 0, 2),
    color: theme.colors.text.secondary,
    a: { color: theme.colors.text.link, textDecoration: 'underline' },
  }),
});
