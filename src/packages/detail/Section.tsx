import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Text, useStyles2 } from '@grafana/ui';
import { useId, type ReactNode } from 'react';

/** A titled section with an optional empty state. */
export function Section({ title, empty, children }: { title: string; empty?: string | false; children?: ReactNode }) {
  const styles = useStyles2(getStyles);
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {empty ? (
        <Text element="p" color="secondary">
          {empty}
        </Text>
      ) : (
        children
      )}
    </section>
  );
}

/** A list item with a title on the left and a location on the right. */
export function Line({
  title,
  text,
  code = false,
  end,
}: {
  title: string;
  text?: string | undefined;
  code?: boolean;
  end?: ReactNode;
}) {
  const styles = useStyles2(getStyles);
  return (
    <li className={styles.line}>
      <Box element="span" display="flex" direction="column" flex="1 1 200px" minWidth={0} dir="auto">
        <span>{title}</span>
        {text !== undefined && <span className={code ? styles.code : styles.text}>{text}</span>}
      </Box>
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </li>
  );
}

export const lineList = css({ listStyle: 'none' });

const getStyles = (theme: GrafanaTheme2) => ({
  title: css({ ...theme.typography.h5, margin: theme.spacing(0, 0, 1) }),
  line: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(0.5, 2),
    padding: theme.spacing(1, 0),
    '&:not(:last-child)': { borderBottom: `1px solid ${theme.colors.border.weak}` },
  }),
  text: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  code: css({
    color: theme.colors.text.secondary,
    fontFamily: theme.typography.fontFamilyMonospace,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
  end: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0, 2),
    color: theme.colors.text.secondary,
    fontVariantNumeric: 'tabular-nums',
    overflowWrap: 'anywhere',
    minWidth: 0,
  }),
});
