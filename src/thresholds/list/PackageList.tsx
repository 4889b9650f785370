import { css } from '@emotion/css';
import { Box, Stack } from '@grafana/ui';
import { useCallback, useState } from 'react';
import { t } from '../../i18n/t';
import { More } from '../../components/More';
import { fitting, type Shown } from '../filter';
import { PackageCard } from './PackageCard';
import Skeleton from 'react-loading-skeleton';
import { List } from '../../components/List';

/** Rows rendered at first, and added each time the end of the list is near. */
const ROWS = 80;
/** Above this many endpoints, cards are collapsed until opened or until a search narrows the list. */
const FOLD_FROM = 60;

interface Props {
  shown: readonly Shown[];
}

/** The package cards, rendered in batches. */
export function PackageList({ shown }: Props) {
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
    <div className={container}>
      <List gap={2} aria-label={t('thresholds.list.packages', 'Packages')}>
        {shown.slice(0, drawn).map(({ one, endpoints }) => (
          <PackageCard key={one.dnpName} one={one} endpoints={endpoints} open={isOpen(one.dnpName)} onOpen={onOpen} />
        ))}
      </List>
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

// A container query, because the docked menu makes the window width meaningless.
const container = css({ container: 'thresholds / inline-size' });

/** Placeholder cards, about as high as the loaded ones. */
export function SkeletonCards() {
  return (
    <div role="status" aria-label={t('thresholds.list.loading', 'Loading thresholds')}>
      <Stack direction="column" gap={2} aria-hidden>
        {[2, 3].map((rows) => (
          <Box key={rows} borderStyle="solid" borderColor="weak" borderRadius="default" backgroundColor="canvas">
            <Box display="flex" gap={1.5} paddingY={1.5} paddingX={2}>
              <Skeleton width={32} height={32} />
              <Stack direction="column" gap={0.5} flex={1}>
                <Skeleton width="30%" height={16} />
                <Skeleton width="18%" height={10} />
              </Stack>
            </Box>
            {Array.from({ length: rows }, (_, index) => (
              <Box key={index} display="flex" gap={4} padding={2}>
                <Stack direction="column" gap={0.5} flex={1}>
                  <Skeleton width="50%" height={14} />
                  <Skeleton width="80%" height={10} />
                </Stack>
                <Stack direction="column" gap={0.5} flex={1}>
                  <Skeleton width="70%" height={4} />
                  <Skeleton width="30%" height={14} />
                </Stack>
              </Box>
            ))}
          </Box>
        ))}
      </Stack>
    </div>
  );
}
