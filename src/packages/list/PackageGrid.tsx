import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Stack, useStyles2 } from '@grafana/ui';
import { useState } from 'react';
import Skeleton from 'react-loading-skeleton';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { More } from '../../components/More';
import { useWidth } from '../../components/layout';
import { PackageCard } from './PackageCard';
import { Bordered } from '../../components/Bordered';

/** Cards rendered at first and on each scroll to the end; rendering 500 cards at once is slow. */
const BATCH = 60;

/** Minimum content widths for three and two columns. */
const THREE_COLUMNS = 900;
const TWO_COLUMNS = 600;

const columnsFor = (width: number): number => (width >= THREE_COLUMNS ? 3 : width >= TWO_COLUMNS ? 2 : 1);

interface Props {
  packages: PackageSummary[];
  /** Undefined if the user lacks permission. */
  onRemove: ((one: PackageSummary) => void) | undefined;
}

/** Responsive grid of package cards. */
export function PackageGrid({ packages, onRemove }: Props) {
  const styles = useStyles2(getStyles);
  const [widthRef, width] = useWidth();
  const [limit, setLimit] = useState(BATCH);
  const more = packages.length - limit;
  return (
    <div ref={widthRef}>
      <ul className={styles.grid} style={gridStyle(width)} aria-label={t('packages.list.label', 'Packages')}>
        {packages.slice(0, limit).map((one) => (
          <PackageCard key={one.dnpName} summary={one} onRemove={onRemove} />
        ))}
      </ul>
      {more > 0 && <More key={limit} label={moreLabel(more)} onMore={() => setLimit(limit + BATCH)} />}
    </div>
  );
}

const moreLabel = (count: number): string =>
  t('packages.list.more', '', {
    count,
    defaultValue_one: 'Show {{count, number}} more package',
    defaultValue_other: 'Show more ({{count, number}} packages remaining)',
  });

const gridStyle = (width: number | undefined) => ({
  gridTemplateColumns: `repeat(${columnsFor(width ?? window.innerWidth)}, minmax(0, 1fr))`,
});

/** Loading placeholders with the final card height. */
export function SkeletonGrid({ cards = 6 }: { cards?: number }) {
  const styles = useStyles2(getStyles);
  const [widthRef, width] = useWidth();
  return (
    <div ref={widthRef} role="status" aria-label={t('packages.list.loading', 'Loading packages')}>
      <div className={styles.grid} style={gridStyle(width)} aria-hidden>
        {Array.from({ length: cards }, (_, index) => (
          <Bordered key={index} height="236px" padding={2}>
            <Box display="flex" gap={1.5} marginBottom={3}>
              <Skeleton width={40} height={40} />
              <Stack direction="column" flex={1}>
                <Skeleton width="60%" height={14} />
                <Skeleton width="40%" height={10} />
              </Stack>
            </Box>
            <Skeleton width="90%" height={12} />
            <Skeleton width="55%" height={12} />
          </Bordered>
        ))}
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  grid: css({ display: 'grid', gap: theme.spacing(2), listStyle: 'none' }),
});
