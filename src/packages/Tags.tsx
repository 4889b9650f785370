import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

/** Categories and keywords: words in frames. */
export function Tags({ words }: { words: readonly string[] }) {
  const styles = useStyles2(getStyles);
  return (
    <span className={styles.tags}>
      {[...new Set(words)].map((word) => (
        <span key={word} className={styles.tag} dir="auto" title={word}>
          {word}
        </span>
      ))}
    </span>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  tags: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5), minWidth: 0 }),
  tag: css({
    maxWidth: '100%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    padding: theme.spacing(0, 0.75),
    border: `1px solid ${theme.colors.border.medium}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    lineHeight: '20px',
    color: theme.colors.text.primary,
  }),
});
