import { EmptyState, LinkButton, Stack } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { LiveChains } from '../../chains/LiveChains';
import { t, Trans } from '../../i18n/t';
import { may } from '../../api/permissions';
import { LivePage } from '../../components/LivePage';
import { linkProps } from '../../components/links';
import { NoMatch } from '../../components/NoMatch';
import { pathTo } from '../../routes';
import { filterPackages, readFilter, writeFilter, type PackageFilter } from '../filter';
import { packagesQuery } from '../../api/packages';
import { useLivePackages } from '../queries';
import { RemoveDialog } from '../RemoveDialog';
import { useRemoval } from '../useRemoval';
import { PackageFilters } from './PackageFilters';
import { PackageGrid, SkeletonGrid } from './PackageGrid';

/** The list of registered packages. */
export default function PackagesPage({ bridgeUrl }: { bridgeUrl: string }) {
  const query = useQuery(packagesQuery());
  const { data, error } = query;
  const live = useLivePackages(error !== null);
  const removal = useRemoval();
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      page="packages"
      query={query}
      live={live}
      subTitle={t('packages.page.subtitle', 'Packages registered with the bridge.')}
      actions={
        may('packages:write') && (
          <LinkButton icon="plus" {...linkProps(pathTo.addPackage)}>
            {t('packages.page.add', 'Add package')}
          </LinkButton>
        )
      }
    >
      {!data && !error && <SkeletonGrid />}
      {data?.length === 0 && <NoPackages />}
      {data && data.length > 0 && (
        <MaybeLive nodes={data.some(({ chain }) => chain)}>
          <Found packages={data} onRemove={removal.open} />
        </MaybeLive>
      )}
      <RemoveDialog removal={removal} />
    </LivePage>
  );
}

/** Query nodes only if a package runs one. */
const MaybeLive = ({ nodes, children }: { nodes: boolean; children: ReactNode }) =>
  nodes ? <LiveChains>{children}</LiveChains> : children;

function Found({ packages, onRemove }: { packages: PackageSummary[]; onRemove: (one: PackageSummary) => void }) {
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const setFilter = (change: Partial<PackageFilter>) =>
    setSearch((now) => writeFilter({ ...readFilter(now), ...change }), { replace: true });
  const shown = filterPackages(packages, filter);
  return (
    <Stack direction="column" gap={2}>
      <PackageFilters packages={packages} shown={shown.length} filter={filter} onChange={setFilter} />
      {shown.length === 0 ? (
        <NoMatch
          message={t('packages.list.no-match', 'No packages found')}
          onClear={() => setSearch({}, { replace: true })}
        />
      ) : (
        <PackageGrid
          key={JSON.stringify(filter)}
          packages={shown}
          onRemove={may('packages:write') ? onRemove : undefined}
        />
      )}
    </Stack>
  );
}

function NoPackages() {
  return (
    <EmptyState
      variant="call-to-action"
      message={t('packages.empty.title', 'No packages registered')}
      button={
        may('packages:write') ? (
          <LinkButton icon="plus" {...linkProps(pathTo.addPackage)}>
            {t('packages.page.add', 'Add package')}
          </LinkButton>
        ) : undefined
      }
    >
      <Stack direction="column">
        <p>
          <Trans i18nKey="packages.empty.what">
            A package is described by its manifest, <code>dappnode_package.json</code>: metadata, links, dashboards,
            warnings, and notifications.
          </Trans>
        </p>
        <p>
          {may('packages:write') ? (
            <Trans i18nKey="packages.empty.how">
              Paste or drop a manifest here. An operator can also list package directories in a YAML file in{' '}
              <code>provisioning/nodebell</code>.
            </Trans>
          ) : (
            <Trans i18nKey="packages.empty.how-viewer">
              Ask a Grafana editor to add a package, or an operator to list package directories in a YAML file in{' '}
              <code>provisioning/nodebell</code>.
            </Trans>
          )}
        </p>
      </Stack>
    </EmptyState>
  );
}
