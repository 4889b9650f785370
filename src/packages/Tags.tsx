import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

interface Props {
  labels: readonly string[];
  /** Shown as plain text after the tags, without duplicates. */
  quiet?: readonly string[];
}

/** Categories and keywords as tags. */
export function Tags({ labels, quiet = [] }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <span className={styles.tags}>
      {[...new Set(labels)].map((label) => (
        <span key={label} className={cx(styles.label, styles.tag)} dir="auto" title={label}>
          {label}
        </span>
      ))}
      {withoutDuplicates(quiet, labels).map((label) => (
        <span key={label} className={cx(styles.label, styles.quiet)} dir="auto">
          {label}
        </span>
      ))}
    </span>
  );
}

function withoutDuplicates(quiet: readonly string[], labels: readonly string[]): string[] {
  const shown = new Set(labels.map((label) => label.toLowerCase()));
  return [...new Set(quiet)].filter((label) => !shown.has(label.toLowerCase()));
}

const getStyles = (theme: GrafanaTheme2) => ({
  tags: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5), minWidth: 0 }),
  label: css({
    maxWidth: '100%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontSize: theme.typography.bodySmall.fontSize,
    lineHeight: '20px',
  }),
  tag: css({
    padding: theme.spacing(0, 0.75),
    border: `1px solid ${theme.colors.border.medium}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.secondary,
    color: theme.colors.text.primary,
  }),
  quiet: css({ padding: `1px ${theme.spacing(0.5)} 1px 0`, color: theme.colors.text.secondary }),
});
