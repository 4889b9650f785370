import { Alert, Box, EmptyState, LinkButton, Stack } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { EndpointOverview } from '@nodebell/contract/endpoint.ts';
import { t, Trans } from '../../i18n/t';
import { may, maySeeRules } from '../../api/permissions';
import { LivePage } from '../../components/LivePage';
import { linkProps } from '../../components/links';
import { endpointCount } from '../../components/messages';
import { ScrollingTabs } from '../../components/ScrollingTabs';
import { pathTo } from '../../routes';
import { Pending } from '../endpoint/Effects';
import { Sign } from '../endpoint/Sign';
import { SettingsActions } from '../exchange/SettingsActions';
import { categoriesOf, search } from '../filter';
import { overviewQuery, useLiveThresholds } from '../queries';
import { RulesTab } from '../rules/RulesTab';
import { CategorySwitches } from './CategorySwitches';
import { PackageList, SkeletonCards } from './PackageList';
import { SearchBar } from '../../components/SearchBar';
import { NoMatch } from '../../components/NoMatch';

const subtitle = () =>
  may('thresholds:write')
    ? t(
        'thresholds.page.what',
        'Set when each package notifies you. Changes are saved immediately and survive package updates.'
      )
    : t('thresholds.page.what-viewer', 'When each package notifies you. Only editors and admins can change this.');

const rulesSubtitle = () =>
  t(
    'thresholds.rules.what',
    'Thresholds of Grafana’s alert rules. Changes are previewed, and saved in Grafana with your permissions.'
  );

const tabs = () => [
  { name: 'packages' as const, label: t('thresholds.tabs.packages', 'Packages') },
  { name: 'rules' as const, label: t('thresholds.tabs.rules', 'Grafana rules') },
];

/** Switches and thresholds of all packages, and the thresholds of Grafana's rules. */
export default function ThresholdsPage({ bridgeUrl }: { bridgeUrl: string }) {
  const [params, setParams] = useSearchParams();
  const rules = params.get('tab') === 'rules' && maySeeRules();
  const query = useQuery(overviewQuery());
  const { data, error } = query;
  const live = useLiveThresholds(error !== null);
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      page="thresholds"
      error={rules ? null : error}
      query={query}
      live={live}
      subTitle={rules ? rulesSubtitle() : subtitle()}
      actions={!rules && <SettingsActions />}
    >
      {maySeeRules() && (
        <Box marginBottom={2}>
          <ScrollingTabs
            tabs={tabs()}
            active={rules ? 'rules' : 'packages'}
            onChange={(tab) => setParams(tab === 'rules' ? { tab } : {})}
          />
        </Box>
      )}
      {rules ? (
        <RulesTab
          q={params.get('q')?.slice(0, 200) ?? ''}
          onSearch={(q) => setParams({ tab: 'rules', ...(q && { q }) }, { replace: true })}
        />
      ) : (
        <Packages overview={data} failed={error !== null} />
      )}
    </LivePage>
  );
}

function Packages({ overview, failed }: { overview: EndpointOverview | undefined; failed: boolean }) {
  if (!overview) {
    return failed ? null : <SkeletonCards />;
  }
  return overview.packages.some(hasContent) ? <Found overview={overview} /> : <NoEndpoints />;
}

type Package = EndpointOverview['packages'][number];

/** A changed package switch applies to all notifications of the package, even if it has no endpoints left. */
const hasContent = ({ endpoints, leftovers, problems, enabled }: Package): boolean =>
  endpoints.length + leftovers.length + problems.length > 0 || enabled.origin !== 'package';

function Found({ overview }: { overview: EndpointOverview }) {
  const [params, setParams] = useSearchParams();
  const q = params.get('q')?.slice(0, 200) ?? '';
  const setQ = (next: string) => setParams(next ? { q: next } : {}, { replace: true });
  // Keeps typing responsive while up to ten thousand endpoints are searched.
  const query = useDeferredValue(q);
  const packages = useMemo(() => overview.packages.filter(hasContent), [overview]);
  const categories = useMemo(() => categoriesOf(packages), [packages]);
  const shown = useMemo(() => search(packages, query), [packages, query]);
  return (
    <Stack direction="column" gap={2}>
      <Monitors overview={overview} />
      <SearchBar
        label={t('thresholds.page.search-label', 'Search thresholds')}
        placeholder={t('thresholds.page.search', 'Search endpoints and packages')}
        value={q}
        onChange={setQ}
        count={countLabel(packages, shown, query)}
      >
        <CategorySwitches categories={categories} />
      </SearchBar>
      {shown.length === 0 ? (
        <NoMatch
          message={t('thresholds.page.no-match', 'No endpoints found')}
          clear={t('thresholds.page.clear', 'Clear search')}
          onClear={() => setQ('')}
        />
      ) : (
        <PackageList key={query} shown={shown} />
      )}
    </Stack>
  );
}

function countLabel(packages: Package[], shown: ReturnType<typeof search>, q: string): string {
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

/** Warnings that concern all cards: a monitor with pending settings, or no monitor at all. */
function Monitors({ overview: { monitors, packages } }: { overview: EndpointOverview }) {
  const pending = monitors.filter(({ state }) => state === 'pending');
  if (pending.length > 0) {
    return (
      <Alert
        severity="warning"
        role="status"
        bottomSpacing={0}
        title={t('thresholds.page.pending', 'Some settings are not applied yet')}
      >
        {pending.map((one) => (
          <Pending key={one.monitor} effect={one} />
        ))}
      </Alert>
    );
  }
  const monitored = packages.some(({ endpoints }) => endpoints.some(({ kind }) => kind === 'monitored'));
  return monitors.length === 0 && monitored ? (
    <Sign
      icon="info-circle"
      tone="info"
      text={t(
        'thresholds.page.no-monitor',
        'No monitor is configured. Muting works, but thresholds have no effect until you set up Gatus, Grafana Alerting or Prometheus.'
      )}
    />
  ) : null;
}

function NoEndpoints() {
  return (
    <EmptyState
      variant="call-to-action"
      message={t('thresholds.empty.title', 'No package defines notifications')}
      button={
        <LinkButton icon="cube" variant="secondary" {...linkProps(pathTo.packages)}>
          {t('thresholds.empty.packages', 'Packages')}
        </LinkButton>
      }
    >
      <Trans i18nKey="thresholds.empty.text">
        A package defines what it monitors and when it alerts in <code>notifications.yaml</code>. Once this file is
        registered with the manifest, you can turn each endpoint on or off and set its threshold here.
      </Trans>
    </EmptyState>
  );
}
