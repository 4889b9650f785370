import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

interface Props {
  words: readonly string[];
  /** Said behind them without a frame, but for those that are said already. */
  quiet?: readonly string[];
}

/** Categories and keywords: words in frames. */
export function Tags({ words, quiet = [] }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <span className={styles.tags}>
      {[...new Set(words)].map((word) => (
        <span key={word} className={cx(styles.word, styles.tag)} dir="auto" title={word}>
          {word}
        </span>
      ))}
      {withoutSaid(quiet, words).map((word) => (
        <span key={word} className={cx(styles.word, styles.quiet)} dir="auto">
          {word}
        </span>
      ))}
    </span>
  );
}

function withoutSaid(quiet: readonly string[], words: readonly string[]): string[] {
  const said = new Set(words.map((word) => word.toLowerCase()));
  return [...new Set(quiet)].filter((word) => !said.has(word.toLowerCase()));
}

const getStyles = (theme: GrafanaTheme2) => ({
  tags: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5), minWidth: 0 }),
  word: css({
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
