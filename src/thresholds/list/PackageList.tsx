import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useCallback, useState } from 'react';
import { t } from '../../i18n/t';
import { More } from '../../components/More';
import { fitting, type Shown } from '../filter';
import { PackageCard } from './PackageCard';

/** Drawn at first, and again each time the end comes near. */
const ROWS = 80;
/** From so many endpoints on the cards are folded until they are opened, or until a search has found a few. */
const FOLD_FROM = 60;

interface Props {
  shown: readonly Shown[];
}

/** The cards, as many as are needed to fill the page and some more. */
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
        <More key={drawn} words={moreWords(shown.length - drawn)} onMore={() => setRows(rows + ROWS)} />
      )}
    </div>
  );
}

const moreWords = (count: number): string =>
  t('thresholds.list.more', '', {
    count,
    defaultValue_one: 'Show more ({{count, number}} package remaining)',
    defaultValue_other: 'Show more ({{count, number}} packages remaining)',
  });

const getStyles = (theme: GrafanaTheme2) => ({
  // The docked menu makes the window's width useless, so what is inside goes by the width of this.
  container: css({ container: 'thresholds / inline-size' }),
  list: css({ listStyle: 'none', display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
});
