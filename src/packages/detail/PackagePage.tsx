import { locationService } from '@grafana/runtime';
import { EmptyState, LinkButton } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import Skeleton from 'react-loading-skeleton';
import { useParams } from 'react-router-dom';
import { t, Trans } from '../../i18n/t';
import { linkProps } from '../../components/links';
import { LivePage } from '../../components/LivePage';
import { pathTo } from '../../routes';
import { packageQuery, useLivePackages } from '../queries';
import { RemoveDialog } from '../RemoveDialog';
import { useRemoval } from '../useRemoval';
import { PackageActions, PackageHeader } from './PackageHeader';
import { PackageTabs } from './PackageTabs';

/** The page of one package. */
export default function PackagePage({ bridgeUrl }: { bridgeUrl: string }) {
  const { dnpName = '' } = useParams();
  const query = useQuery(packageQuery(dnpName));
  const { data, error } = query;
  const gone = error?.kind === 'not-found';
  const live = useLivePackages(error !== null && !gone);
  const removal = useRemoval(() => locationService.push(pathTo.packages));
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      page="packages"
      child={dnpName}
      error={gone ? null : error}
      query={query}
      live={live}
      renderTitle={() => <PackageHeader dnpName={dnpName} summary={gone ? undefined : data} />}
      actions={data && !gone && <PackageActions detail={data} onRemove={() => removal.open(data)} />}
    >
      {gone && <NotRegistered dnpName={dnpName} />}
      {!data && !error && <Loading />}
      {data && !gone && <PackageTabs key={dnpName} detail={data} />}
      <RemoveDialog removal={removal} />
    </LivePage>
  );
}

function NotRegistered({ dnpName }: { dnpName: string }) {
  return (
    <EmptyState
      variant="not-found"
      message={t('packages.gone.title', 'Package not found')}
      button={
        <LinkButton variant="secondary" {...linkProps(pathTo.packages)}>
          {t('packages.gone.all', 'All packages')}
        </LinkButton>
      }
    >
      <span>
        <Trans i18nKey="packages.gone.text" values={{ name: dnpName }}>
          There is no package named <code>{'{{name}}'}</code>. It may have been removed.
        </Trans>
      </span>
    </EmptyState>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={t('packages.page.loading', 'Loading package')}>
      <Skeleton width={320} height={32} />
      <div style={{ height: 24 }} />
      <Skeleton count={4} height={14} width="70%" />
    </div>
  );
}
