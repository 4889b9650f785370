import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Stack, useStyles2 } from '@grafana/ui';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { StateText } from '../components/StateText';
import { statusItems } from './messages';

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

/** Categories and keywords in one line; items that do not fit are hidden. */
export function CardTags({
  summary: { categories, keywords },
}: {
  summary: Pick<PackageSummary, 'categories' | 'keywords'>;
}) {
  return (
    <div className={useStyles2(getCardTagsStyles)}>
      <Tags labels={categories} quiet={keywords} />
    </div>
  );
}

// Items that do not fit wrap to a second, hidden line.
const getCardTagsStyles = (theme: GrafanaTheme2) =>
  css({ height: 22, overflow: 'hidden', marginTop: theme.spacing(1.5) });

/** Status of a package: findings, missing dependencies and origin. */
export function StatusItems({ summary }: { summary: PackageSummary }) {
  return (
    <Stack wrap rowGap={0.5} columnGap={2}>
      {statusItems(summary).map((sign) => (
        <StateText key={sign.text} {...sign} />
      ))}
    </Stack>
  );
}
