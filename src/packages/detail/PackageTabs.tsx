import { Box, Stack } from '@grafana/ui';
import { useSearchParams } from 'react-router-dom';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { ScrollingTabs } from '../../components/ScrollingTabs';
import { t } from '../../i18n/t';
import { AuthorMarkdown } from '../../components/AuthorMarkdown';
import { Overview } from './Overview';
import { useQuery } from '@tanstack/react-query';
import { may } from '../../api/permissions';
import { packageFilesQuery } from '../queries';
import { Review } from '../review/Review';
import { Endpoints } from '../Endpoints';
import { PackageSwitch } from './PackageSwitch';
import { Recent } from './Recent';
import { Section } from './Section';
import { Failure } from '../../components/Failure';

const TABS = ['overview', 'notifications', 'changelog', 'findings'] as const;
type TabName = (typeof TABS)[number];

const TAB_LABELS: Record<TabName, () => string> = {
  overview: () => t('packages.tabs.overview', 'Overview'),
  notifications: () => t('packages.tabs.notifications', 'Notifications'),
  changelog: () => t('packages.tabs.changelog', 'Changelog'),
  findings: () => t('packages.tabs.findings', 'Findings'),
};

const counterOf = (detail: PackageDetail, name: TabName): number | null =>
  name === 'notifications' ? detail.notifications.length : name === 'findings' ? detail.findingList.length : null;

/** The tabs of a package page. The active tab is kept in the URL. */
export function PackageTabs({ detail }: { detail: PackageDetail }) {
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find((name) => name === search.get('tab')) ?? 'overview';
  const open = (name: TabName) => setSearch(name === 'overview' ? {} : { tab: name }, { replace: true });
  return (
    <>
      <ScrollingTabs
        active={tab}
        tabs={TABS.map((name) => ({ name, label: TAB_LABELS[name](), counter: counterOf(detail, name) }))}
        onChange={open}
      />
      <Box paddingTop={3}>
        <Content tab={tab} detail={detail} onOpen={open} />
      </Box>
    </>
  );
}

function Content({ tab, detail, onOpen }: { tab: TabName; detail: PackageDetail; onOpen: (tab: TabName) => void }) {
  switch (tab) {
    case 'overview':
      return <Overview detail={detail} onShowFindings={() => onOpen('findings')} />;
    case 'notifications':
      return <NotificationsTab detail={detail} />;
    case 'changelog':
      return detail.facts.changelog ? (
        <AuthorMarkdown text={detail.facts.changelog} />
      ) : (
        <p>
          {t('packages.changelog.none', 'No release notes for {{version}}.', {
            version: detail.version,
          })}
        </p>
      );
    case 'findings':
      return <FindingsTab detail={detail} />;
  }
}

/** Findings, with the source for users who may read it: the files can contain passwords. */
function FindingsTab({ detail }: { detail: PackageDetail }) {
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
          <Failure title={t('packages.findings.load-failed', 'Could not load the files')} error={error} />
        ) : (
          instead
        )
      }
    />
  );
}

/** The package's switch, the notifications that it defines, and the most recent ones it sent. */
function NotificationsTab({ detail }: { detail: PackageDetail }) {
  const { notifications } = detail;
  return (
    <Stack direction="column" gap={4} maxWidth="760px">
      <PackageSwitch dnpName={detail.dnpName} />
      <Section
        title={t('packages.notifications.title', 'Notifications')}
        empty={notifications.length === 0 && t('packages.notifications.none', 'This package defines no notifications.')}
      >
        <Endpoints endpoints={notifications} />
      </Section>
      <Recent dnpName={detail.dnpName} limit={20} />
    </Stack>
  );
}
