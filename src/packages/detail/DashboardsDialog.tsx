import { LinkButton, Modal, Stack, Text } from '@grafana/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { DashboardFile } from '@nodebell/contract/dashboard.ts';
import { urlSegment } from '@nodebell/contract/url.ts';
import { saveDashboard } from '../../api/grafana';
import { t } from '../../i18n/t';
import { linkProps } from '../../components/links';
import { mayCreateDashboards } from '../../api/permissions';
import { dashboardsQuery, presenceQuery } from '../queries';
import { dashboardMessage } from '../messages';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';
import { BreakWords } from '../../components/BreakWords';
import { Failure } from '../../components/Failure';
import { PendingButton } from '../../components/PendingButton';

interface Props {
  dnpName: string;
  version: string;
  onClose: () => void;
}

/** The dashboards of a package. Existing ones can be opened; missing ones are created with the user's permissions. */
export function DashboardsDialog({ dnpName, version, onClose }: Props) {
  const { data, error } = useQuery(dashboardsQuery(dnpName));
  return (
    <Modal isOpen title={t('packages.dashboard.title', 'Dashboards')} onDismiss={onClose}>
      <Failure title={t('packages.dashboard.load-failed', 'Could not load the dashboards')} error={error} />
      {!data && !error && <p role="status">{t('packages.page.loading-short', 'Loading…')}</p>}
      <BreakWords>
        <List divided>
          {data?.map((file) => (
            <Dashboard key={file.uid} file={file} message={`${dnpName} ${version}`} />
          ))}
        </List>
      </BreakWords>
    </Modal>
  );
}

function saveLabel(busy: boolean, there: boolean): string {
  if (busy) {
    return t('packages.dashboard.saving', 'Saving…');
  }
  return there ? t('packages.dashboard.overwrite', 'Overwrite') : t('packages.dashboard.create', 'Create');
}

function Dashboard({ file, message }: { file: DashboardFile; message: string }) {
  const { data: presence, error } = useQuery(presenceQuery(file.uid));
  const saving = useMutation<void, Error, Record<string, unknown>>({
    mutationFn: (dashboard) => saveDashboard(dashboard, message),
    meta: { quiet: true, rereads: [presenceQuery(file.uid).queryKey] },
  });
  const { dashboard } = file;
  const failure = saving.error ?? error;
  const there = presence === 'there';
  return (
    <li>
      <Stack wrap alignItems="center">
        <Stack direction="column" gap={0} flex="1 1 240px" minWidth={0}>
          <span dir="auto">{file.title}</span>
          <SecondaryText>{dashboardMessage(file, presence)}</SecondaryText>
          {failure && (
            <Text role="alert" color="error" variant="bodySmall">
              {failure.message}
            </Text>
          )}
        </Stack>
        {there && (
          <LinkButton size="sm" icon="apps" {...linkProps(`/d/${urlSegment(file.uid)}`)}>
            {t('packages.dashboard.open', 'Open')}
          </LinkButton>
        )}
        {dashboard && presence !== undefined && mayCreateDashboards() && (
          <PendingButton
            size="sm"
            variant={there ? 'secondary' : 'primary'}
            pending={saving.isPending}
            onClick={() => saving.mutate(dashboard)}
          >
            {saveLabel(saving.isPending, there)}
          </PendingButton>
        )}
      </Stack>
    </li>
  );
}
