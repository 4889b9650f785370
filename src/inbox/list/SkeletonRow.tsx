import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, useStyles2 } from '@grafana/ui';
import Skeleton from 'react-loading-skeleton';
import { t } from '../../i18n/t';

const WIDTHS = [62, 44, 56, 68, 50, 59, 41];

/** Placeholder for a row that is loading, with its final height. */
export function SkeletonRow({ index }: { index: number }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.row}>
      <Skeleton width={32} height={32} />
      <div className={styles.lines}>
        <Skeleton width={`${WIDTHS[index % WIDTHS.length] ?? 50}%`} height={14} />
        <Skeleton width="95%" height={10} />
        <Skeleton width="44%" height={10} />
      </div>
    </div>
  );
}

export function SkeletonList({ rows = 7 }: { rows?: number }) {
  return (
    <Box paddingTop={5} role="status" aria-label={t('inbox.list.loading', 'Loading notifications')}>
      {Array.from({ length: rows }, (_, index) => (
        <SkeletonRow key={index} index={index} />
      ))}
    </Box>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    gap: theme.spacing(1.5),
    height: 82,
    marginBottom: 2,
    padding: theme.spacing(1, 1.5, 1, 3.5),
  }),
  lines: css({ flex: 1, display: 'flex', flexDirection: 'column', gap: 6, lineHeight: 1 }),
});
