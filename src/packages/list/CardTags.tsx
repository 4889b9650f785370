import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { Tags } from '../Tags';

interface Props {
  summary: Pick<PackageSummary, 'categories' | 'keywords'>;
  /** Categories only, inline with another element and limited to its height. */
  beside?: boolean;
}

/** Categories and keywords in one line; items that do not fit are hidden. */
export function CardTags({ summary: { categories, keywords }, beside = false }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <div className={cx(styles.line, beside ? styles.beside : styles.own)}>
      <Tags labels={categories} quiet={beside ? [] : keywords} />
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  // Items that do not fit wrap to a second, hidden line.
  line: css({ height: 22, overflow: 'hidden' }),
  own: css({ marginTop: theme.spacing(1.5) }),
  // The zero-width first item lets an overlong first tag wrap as well.
  beside: css({
    flex: 1,
    minWidth: 0,
    margin: '-1px 0',
    '& > span': { justifyContent: 'flex-end' },
    '& > span::before': { content: '""', height: 22 },
    '& > span > span': { flexShrink: 0, maxWidth: 'none' },
  }),
});
