import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useCallback, useState } from 'react';
import { t } from '../../i18n/t';
import { More } from '../../components/More';
import { fitting, type Shown } from '../filter';
import { PackageCard } from './PackageCard';
import Skeleton from 'react-loading-skeleton';

/** Rows rendered at first, and added each time the end of the list is near. */
const ROWS = 80;
/** Above this many endpoints, cards are collapsed until opened or until a search narrows the list. */
const FOLD_FROM = 60;

interface Props {
  shown: readonly Shown[];
}

/** The package cards, rendered in batches. */
export function PackageList({ shown }: Props) {
  const styles = useStyles2(getStyles);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [rows, setRows] = useState(ROWS);
  const many = shown.reduce((sum, { endpoints }) => sum + endpoints.length, 0) > FOLD_FROM;
  const isOpen = (dnpName: string) => chosen.get(dnpName) ?? !(many && shown.length > 1);
  const drawn = fitting(shown, rows, isOpen);
  const onOpen = useCallback(
    (dnpName: string, open: boolean) => setChosen((now) => new Map(now).set(dnpName, open)),
    []
  );
  return (
    <div className={styles.container}>
      <ul className={styles.list} aria-label={t('thresholds.list.packages', 'Packages')}>
        {shown.slice(0, drawn).map(({ one, endpoints }) => (
          <PackageCard key={one.dnpName} one={one} endpoints={endpoints} open={isOpen(one.dnpName)} onOpen={onOpen} />
        ))}
      </ul>
      {drawn < shown.length && (
        <More key={drawn} label={moreLabel(shown.length - drawn)} onMore={() => setRows(rows + ROWS)} />
      )}
    </div>
  );
}

const moreLabel = (count: number): string =>
  t('thresholds.list.more', '', {
    count,
    defaultValue_one: 'Show more ({{count, number}} package remaining)',
    defaultValue_other: 'Show more ({{count, number}} packages remaining)',
  });

const getStyles = (theme: GrafanaTheme2) => ({
  // A container query, because the docked menu makes the window width meaningless.
  container: css({ container: 'thresholds / inline-size' }),
  list: css({ listStyle: 'none', display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
});

/** Placeholder cards, about as high as the loaded ones. */
export function SkeletonCards() {
  const styles = useStyles2(getSkeletonCardsStyles);
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

const getSkeletonCardsStyles = (theme: GrafanaTheme2) => ({
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
