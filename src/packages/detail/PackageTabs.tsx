import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Tab, TabContent, TabsBar, useStyles2 } from '@grafana/ui';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { AuthorsWords } from '../AuthorsWords';
import { FindingsTab } from './FindingsTab';
import { NotificationsTab } from './NotificationsTab';
import { Overview } from './Overview';

const TABS = ['overview', 'notifications', 'changelog', 'findings'] as const;
type TabName = (typeof TABS)[number];

function tabLabel(tab: TabName): string {
  switch (tab) {
    case 'overview':
      return t('packages.tabs.overview', 'Overview');
    case 'notifications':
      return t('packages.tabs.notifications', 'Notifications');
    case 'changelog':
      return t('packages.tabs.changelog', 'Changelog');
    case 'findings':
      return t('packages.tabs.findings', 'Findings');
  }
}

const counterOf = (detail: PackageDetail, name: TabName): number | null =>
  name === 'notifications' ? detail.notifications.length : name === 'findings' ? detail.findingList.length : null;

/** The parts of a package's page; the one that is open stands in the URL. */
export function PackageTabs({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find((name) => name === search.get('tab')) ?? 'overview';
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    bar.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  const open = (name: TabName) => setSearch(name === 'overview' ? {} : { tab: name }, { replace: true });
  return (
    <>
      <div ref={bar} className={styles.bar}>
        <TabsBar>
          {TABS.map((name) => (
            <Tab
              key={name}
              label={tabLabel(name)}
              active={name === tab}
              counter={counterOf(detail, name)}
              onChangeTab={() => open(name)}
            />
          ))}
        </TabsBar>
      </div>
      <TabContent className={styles.content}>
        <Content tab={tab} detail={detail} onOpen={open} />
      </TabContent>
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
        <AuthorsWords text={detail.facts.changelog} />
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

const getStyles = (theme: GrafanaTheme2) => ({
  // Tabs are wider than a phone.
  bar: css({ overflowX: 'auto', overflowY: 'hidden', scrollbarWidth: 'none', '& > *': { minWidth: 'max-content' } }),
  content: css({ background: 'none', paddingTop: theme.spacing(3) }),
});
