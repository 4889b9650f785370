import { Alert } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { may } from '../../components/access';
import { packageFilesQuery } from '../queries';
import { Review } from '../review/Review';

/** What the judge says; beside the files for those who may read them, since these may hold passwords. */
export function FindingsTab({ detail }: { detail: PackageDetail }) {
  const reads = may('packages:write');
  const { data, error } = useQuery({ ...packageFilesQuery(detail.dnpName), enabled: reads });
  if (data) {
    return <Review findings={detail.findingList} files={data} />;
  }
  const instead = reads ? (
    <p role="status">{t('packages.page.loading-short', 'Loading…')}</p>
  ) : (
    <p>{t('packages.findings.editors', 'Only editors can view the source, because it may contain passwords.')}</p>
  );
  return (
    <Review
      findings={detail.findingList}
      files={{}}
      replaced={() =>
        error ? (
          <Alert severity="error" title={t('packages.findings.load-failed', 'Could not load the files')}>
            {error.message}
          </Alert>
        ) : (
          instead
        )
      }
    />
  );
}
