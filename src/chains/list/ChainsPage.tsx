import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { EmptyState, LinkButton, Stack, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import Skeleton from 'react-loading-skeleton';
import { useSearchParams } from 'react-router-dom';
import { t, Trans } from '../../i18n/t';
import { Hidden } from '../../components/Hidden';
import { linkProps } from '../../components/links';
import { LivePage } from '../../components/LivePage';
import { More } from '../../components/More';
import { StateText } from '../../components/StateText';
import { NARROW_WIDTH, SPLIT_WIDTH, useWidth } from '../../components/layout';
import { NoMatch } from '../../components/NoMatch';
import { pathTo } from '../../routes';
import { ChainClock } from '../LiveChains';
import type { LoadedChains } from '../loaded';
import { isInTab, readFilter, searchNodes, sortNodes, writeFilter, type ChainFilter } from '../order';
import { chainsQuery, useLiveChains } from '../queries';
import { announcement, subtitleMessage } from '../messages';
import { ChainFilters } from './ChainFilters';
import { ChainList } from './ChainList';
import { ChainTable } from './ChainTable';

/** Sync status of each node. */
export default function ChainsPage({ bridgeUrl }: { bridgeUrl: string }) {
  const query = useQuery(chainsQuery());
  const { data, error } = query;
  const [said, setSaid] = useState('');
  const live = useLiveChains(error !== null, (nodes) =>
    setSaid(announcement(nodes, Date.now() + (data?.clockOffset ?? 0)))
  );
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      page="chains"
      query={query}
      live={live}
      subTitle={subtitleMessage(data?.nodes ?? [])}
      actions={
        <>
          {live.status === 'open' && !error && (
            <StateText icon="check-circle" tone="success" text={t('parts.live.live', 'Live')} />
          )}
          {data && data.nodes.length > 0 && (
            <LinkButton variant="secondary" icon="sliders-v-alt" {...linkProps(pathTo.thresholdsOf('chain'))}>
              {t('chains.page.thresholds', 'Chain thresholds')}
            </LinkButton>
          )}
        </>
      }
    >
      {!data && !error && <SkeletonRows />}
      {data && (data.nodes.length === 0 ? <NoNodes /> : <Found loaded={data} />)}
      <Hidden>
        <span role="log" aria-live="polite">
          {said}
        </span>
      </Hidden>
    </LivePage>
  );
}

/** Rows rendered at first, and added each time the end of the list is near. */
const BATCH = 60;

function Found({ loaded: { nodes, history, clockOffset } }: { loaded: LoadedChains }) {
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const setFilter = (change: Partial<ChainFilter>) =>
    setSearch((now) => writeFilter({ ...readFilter(now), ...change }), { replace: true });
  const found = searchNodes(nodes, filter.q);
  const shown = sortNodes(found.filter((node) => isInTab(filter.tab, node)));
  const [widthRef, width = window.innerWidth] = useWidth();
  const [limit, setLimit] = useState(BATCH);
  const drawn = shown.slice(0, limit);
  const more = shown.length - limit;
  return (
    <Stack direction="column" gap={2} ref={widthRef}>
      <ChainFilters nodes={nodes} shown={shown.length} filter={filter} onChange={setFilter} />
      {shown.length === 0 && (
        <NoMatch
          message={t('chains.list.no-match', 'No nodes found')}
          onClear={() => setSearch({}, { replace: true })}
        />
      )}
      {shown.length > 0 && (
        <ChainClock clockOffset={clockOffset} nodes={drawn.length}>
          {width >= SPLIT_WIDTH ? (
            <ChainTable nodes={drawn} history={history} />
          ) : (
            <ChainList nodes={drawn} narrow={width < NARROW_WIDTH} history={history} />
          )}
        </ChainClock>
      )}
      {more > 0 && <More key={limit} label={moreLabel(more)} onMore={() => setLimit(limit + BATCH)} />}
    </Stack>
  );
}

const moreLabel = (count: number): string =>
  t('chains.list.more', '', {
    count,
    defaultValue_one: 'Show more ({{count, number}} node remaining)',
    defaultValue_other: 'Show more ({{count, number}} nodes remaining)',
  });

function NoNodes() {
  return (
    <EmptyState
      variant="call-to-action"
      message={t('chains.empty.title', 'No nodes are monitored yet')}
      button={
        <LinkButton variant="secondary" icon="apps" {...linkProps(pathTo.packages)}>
          {t('chains.empty.packages', 'Packages')}
        </LinkButton>
      }
    >
      <Trans i18nKey="chains.empty.text">
        A package whose manifest has a <code>chain</code> field is a node of that chain. Once the package is registered,
        the bridge polls its sync status.
      </Trans>
    </EmptyState>
  );
}

function SkeletonRows() {
  const styles = useStyles2(getStyles);
  return (
    <div role="status" aria-label={t('chains.list.loading', 'Loading nodes')}>
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className={styles.skeleton} aria-hidden>
          <Skeleton width={32} height={32} />
          <Skeleton width={120} height={14} />
          <Skeleton width={160} height={14} />
          <Skeleton width={200} height={6} />
        </div>
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  skeleton: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1.5),
    height: 74,
    overflow: 'hidden',
    borderTop: `1px solid ${theme.colors.border.weak}`,
  }),
});
