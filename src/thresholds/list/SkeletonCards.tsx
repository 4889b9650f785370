import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import Skeleton from 'react-loading-skeleton';
import { t } from '../../i18n/t';

/** Placeholder cards, about as high as the loaded ones. */
export function SkeletonCards() {
  const styles = useStyles2(getStyles);
  return (
    <div role="status" aria-label={t('thresholds.list.loading', 'Loading thresholds')}>
      <div className={styles.cards} aria-hidden>
        {[2, 3].map((rows) => (
          <div key={rows} className={styles.card}>
            <div className={styles.head}>
              <Skeleton width={32} height={32} />
              <div className={styles.lines}>
                <Skeleton width="30%" height={16} />
                <Skeleton width="18%" height={10} />
              </div>
            </div>
            {Array.from({ length: rows }, (_, index) => (
              <div key={index} className={styles.row}>
                <div className={styles.lines}>
                  <Skeleton width="50%" height={14} />
                  <Skeleton width="80%" height={10} />
                </div>
                <div className={styles.lines}>
                  <Skeleton width="70%" height={4} />
                  <Skeleton width="30%" height={14} />
                </div>
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  cards: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  card: css({
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
  }),
  head: css({ display: 'flex', gap: theme.spacing(1.5), padding: theme.spacing(1.5, 2) }),
  row: css({
    display: 'flex',
    gap: theme.spacing(4),
    padding: theme.spacing(2, 2, 3),
    borderTop: `1px solid ${theme.colors.border.weak}`,
  }),
  lines: css({ flex: 1, display: 'flex', flexDirection: 'column', gap: theme.spacing(0.5) }),
});
