import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, EmptyState, FilterInput, LinkButton, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { EndpointOverview } from '@nodebell/contract/endpoint.ts';
import { t, Trans } from '../../i18n/t';
import { may } from '../../components/access';
import { LivePage } from '../../components/LivePage';
import { linkProps } from '../../components/links';
import { endpointCount } from '../../components/messages';
import { pathTo } from '../../routes';
import { Pending } from '../endpoint/Effects';
import { Sign } from '../endpoint/Sign';
import { SettingsActions } from '../exchange/SettingsActions';
import { categoriesOf, search } from '../filter';
import { overviewQuery } from '../queries';
import { useLiveThresholds } from '../useLiveThresholds';
import { CategorySwitches } from './CategorySwitches';
import { PackageList } from './PackageList';
import { SkeletonCards } from './SkeletonCards';

const subtitle = () =>
  may('thresholds:write')
    ? t(
        'thresholds.page.what',
        'Decide when each package notifies you. Changes are saved as you make them and survive package updates.'
      )
    : t(
        'thresholds.page.what-viewer',
        'When each package notifies you. Editors and admins of this Grafana can change it.'
      );

/** What packages notify of, and when. */
export default function ThresholdsPage({ bridgeUrl }: { bridgeUrl: string }) {
  const { data, error, dataUpdatedAt } = useQuery(overviewQuery());
  const live = useLiveThresholds(error !== null);
  const some = data?.packages.some(hasSomething);
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      error={error}
      loadedAt={data && dataUpdatedAt}
      live={live}
      subTitle={subtitle()}
      actions={<SettingsActions />}
    >
      {!data && !error && <SkeletonCards />}
      {data && (some ? <Found overview={data} /> : <NoEndpoints />)}
    </LivePage>
  );
}

type Package = EndpointOverview['packages'][number];

/** A switch that is off mutes all that comes under the name of its package, also when it has no endpoint any more. */
const hasSomething = ({ endpoints, leftovers, problems, enabled }: Package): boolean =>
  endpoints.length + leftovers.length + problems.length > 0 || enabled.origin !== 'package';

function Found({ overview }: { overview: EndpointOverview }) {
  const styles = useStyles2(getStyles);
  const [params, setParams] = useSearchParams();
  const q = params.get('q')?.slice(0, 200) ?? '';
  const setQ = (next: string) => setParams(next ? { q: next } : {}, { replace: true });
  // Ten thousand endpoints are searched while somebody types.
  const words = useDeferredValue(q);
  const packages = useMemo(() => overview.packages.filter(hasSomething), [overview]);
  const categories = useMemo(() => categoriesOf(packages), [packages]);
  const shown = useMemo(() => search(packages, words), [packages, words]);
  return (
    <div className={styles.found}>
      <Monitors overview={overview} />
      <div className={styles.tools}>
        <div
          className={styles.search}
          role="search"
          aria-label={t('thresholds.page.search-label', 'Search thresholds')}
        >
          <FilterInput
            placeholder={t('thresholds.page.search', 'Search endpoints and packages')}
            aria-label={t('thresholds.page.search', 'Search endpoints and packages')}
            escapeRegex={false}
            value={q}
            onChange={setQ}
          />
        </div>
        <CategorySwitches categories={categories} />
        <span className={styles.count} role="status">
          {countWords(packages, shown, words)}
        </span>
      </div>
      {shown.length === 0 ? (
        <EmptyState
          variant="not-found"
          message={t('thresholds.page.no-match', 'No endpoint matches')}
          button={
            <Button variant="secondary" icon="times" onClick={() => setQ('')}>
              {t('thresholds.page.clear', 'Clear search')}
            </Button>
          }
        />
      ) : (
        <PackageList key={words} shown={shown} />
      )}
    </div>
  );
}

function countWords(packages: Package[], shown: ReturnType<typeof search>, q: string): string {
  const all = packages.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  const found = shown.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return q.trim() === ''
    ? endpointCount(all)
    : t('thresholds.page.found', '', {
        count: all,
        found,
        defaultValue_one: '{{found, number}} of {{count, number}} endpoint',
        defaultValue_other: '{{found, number}} of {{count, number}} endpoints',
      });
}

/** What concerns every card, also those that are folded: a monitor that cannot be written to, or none at all. */
function Monitors({ overview: { monitors, packages } }: { overview: EndpointOverview }) {
  const pending = monitors.filter(({ state }) => state === 'pending');
  if (pending.length > 0) {
    return (
      <Alert
        severity="warning"
        role="status"
        bottomSpacing={0}
        title={t('thresholds.page.pending', 'What is set has not taken effect everywhere yet')}
      >
        {pending.map((one) => (
          <Pending key={one.monitor} effect={one} />
        ))}
      </Alert>
    );
  }
  const watched = packages.some(({ endpoints }) => endpoints.some(({ kind }) => kind === 'monitored'));
  return monitors.length === 0 && watched ? (
    <Sign
      icon="info-circle"
      tone="info"
      text={t(
        'thresholds.page.no-monitor',
        'The bridge knows no monitor: what is off is muted, but a threshold is watched by nobody until Gatus, Grafana Alerting or Prometheus is set up.'
      )}
    />
  ) : null;
}

function NoEndpoints() {
  const styles = useStyles2(getStyles);
  return (
    <EmptyState
      variant="call-to-action"
      message={t('thresholds.empty.title', 'No package defines what it notifies of')}
      button={
        <LinkButton icon="cube" variant="secondary" {...linkProps(pathTo.packages)}>
          {t('thresholds.empty.packages', 'Packages')}
        </LinkButton>
      }
    >
      <p className={styles.words}>
        <Trans i18nKey="thresholds.empty.text">
          A package says in its notifications file, <code>notifications.yaml</code>, what is watched and when it alerts.
          It is registered together with the manifest, and then each of its endpoints can be switched and set here.
        </Trans>
      </p>
    </EmptyState>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  found: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  tools: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1, 2) }),
  search: css({ flex: '1 1 240px', maxWidth: 320, minWidth: 0, '@media (max-width: 600px)': { maxWidth: 'none' } }),
  count: css({ marginLeft: 'auto', color: theme.colors.text.secondary, fontVariantNumeric: 'tabular-nums' }),
  words: css({ maxWidth: 560, margin: '0 auto', color: theme.colors.text.secondary }),
});
