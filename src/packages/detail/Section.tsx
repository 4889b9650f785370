import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
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
      {empty ? <p className={styles.empty}>{empty}</p> : children}
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
      <span className={styles.texts} dir="auto">
        <span>{title}</span>
        {text !== undefined && <span className={code ? styles.code : styles.text}>{text}</span>}
      </span>
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </li>
  );
}

export const lineList = css({ listStyle: 'none' });

const getStyles = (theme: GrafanaTheme2) => ({
  title: css({ ...theme.typography.h5, margin: theme.spacing(0, 0, 1) }),
  empty: css({ margin: 0, color: theme.colors.text.secondary }),
  line: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(0.5, 2),
    padding: theme.spacing(1, 0),
    '&:not(:last-child)': { borderBottom: `1px solid ${theme.colors.border.weak}` },
  }),
  texts: css({ display: 'flex', flexDirection: 'column', flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }),
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
