import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { Tags } from '../Tags';

interface Props {
  summary: Pick<PackageSummary, 'categories' | 'keywords'>;
  /** At the end of another line, whose height it keeps to: categories alone, as many as fit. */
  beside?: boolean;
}

/** Categories, and keywords behind them: one line, with as many words as fit whole. */
export function CardTags({ summary: { categories, keywords }, beside = false }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <div className={cx(styles.line, beside ? styles.beside : styles.own)}>
      <Tags labels={categories} quiet={beside ? [] : keywords} />
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  // What does not fit goes to a second line, which is not seen.
  line: css({ height: 22, overflow: 'hidden' }),
  own: css({ marginTop: theme.spacing(1.5) }),
  // What stands first takes no room: a word that is too long by itself goes to the second line as well.
  beside: css({
    flex: 1,
    minWidth: 0,
    margin: '-1px 0',
    '& > span': { justifyContent: 'flex-end' },
    '& > span::before': { content: '""', height: 22 },
    '& > span > span': { flexShrink: 0, maxWidth: 'none' },
  }),
});
