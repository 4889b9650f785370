import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, EmptyState, LoadingPlaceholder, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { ChannelList } from '@nodebell/contract/channel.ts';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { channelsQuery } from '../api/channels';
import { may } from '../api/permissions';
import { LivePage } from '../components/LivePage';
import { ScrollingTabs } from '../components/ScrollingTabs';
import { t } from '../i18n/t';
import { ChannelForm } from './ChannelForm';
import { ChannelRows } from './ChannelRows';
import { pageName } from './pageName';
import { RoutesTab } from './RoutesTab';
import { UndeliveredTab } from './UndeliveredTab';

const TABS = ['channels', 'routes', 'undelivered'] as const;
type TabName = (typeof TABS)[number];

interface Props {
  bridgeUrl: string;
  /** Devices of the user, for those who are no admins. */
  devices: ReactNode;
}

/** Channels, routes, and what could not be delivered. For admins. */
export default function ChannelsPage({ bridgeUrl, devices }: Props) {
  const mayAdmin = may('bridge:admin');
  const { data, error, dataUpdatedAt, refetch } = useQuery({ ...channelsQuery, enabled: mayAdmin });
  const [search, setSearch] = useSearchParams();
  const go = (change: Record<string, string>) => setSearch(change);
  const edited = search.get('edit');
  const isForm = search.has('add') || edited !== null;
  const retry = () => void refetch();
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      error={error}
      loadedAt={data && dataUpdatedAt}
      live={{ cut: false, nextTry: undefined, retry }}
      subTitle={t('channels.page.subtitle', 'Where notifications go besides the inbox')}
      {...pageName()}
      actions={
        data && data.channels.length > 0 && !isForm ? (
          <Button icon="plus" onClick={() => go({ add: '1' })}>
            {t('channels.page.add', 'Add channel')}
          </Button>
        ) : null
      }
    >
      {!mayAdmin && <OwnChannels>{devices}</OwnChannels>}
      {mayAdmin && !data && !error && <LoadingPlaceholder text={t('channels.page.loading', 'Loading channels…')} />}
      {data &&
        (isForm ? (
          <ChannelForm
            key={edited ?? ''}
            list={data}
            name={edited ?? undefined}
            onDone={() => {
              retry();
              go({});
            }}
          />
        ) : (
          <Tabs list={data} search={search} onChange={go} />
        ))}
    </LivePage>
  );
}

/** Channel settings of a user who is no admin. */
function OwnChannels({ children }: { children: ReactNode }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.page}>
      <p className={styles.note}>{t('channels.page.forbidden', 'Only admins can see the channels of everybody.')}</p>
      <h2 className={styles.title}>{t('channels.page.own', 'Your devices')}</h2>
      {children}
    </div>
  );
}

interface TabsProps {
  list: ChannelList;
  search: URLSearchParams;
  onChange: (change: Record<string, string>) => void;
}

function Tabs({ list, search, onChange }: TabsProps) {
  const styles = useStyles2(getStyles);
  const active = TABS.find((name) => name === search.get('tab')) ?? 'channels';
  const undelivered = list.channels.reduce((sum, one) => sum + one.undelivered, 0);
  if (list.channels.length === 0 && list.routes.length === 0) {
    return <NoChannels onAdd={() => onChange({ add: '1' })} />;
  }
  const open = (tab: TabName) => onChange(tab === 'channels' ? {} : { tab });
  return (
    <div className={styles.page}>
      <ScrollingTabs
        active={active}
        onChange={open}
        tabs={[
          { name: 'channels', label: t('channels.tab.channels', 'Channels'), counter: list.channels.length },
          { name: 'routes', label: t('channels.tab.routes', 'Routes'), counter: list.routes.length },
          { name: 'undelivered', label: t('channels.tab.undelivered', 'Undelivered'), counter: undelivered || null },
        ]}
      />
      {active === 'channels' && (
        <ChannelRows
          channels={list.channels}
          onEdit={(edit) => onChange({ edit })}
          onUndelivered={() => open('undelivered')}
        />
      )}
      {active === 'routes' && <RoutesTab list={list} />}
      {active === 'undelivered' && <UndeliveredTab />}
    </div>
  );
}

function NoChannels({ onAdd }: { onAdd: () => void }) {
  const styles = useStyles2(getStyles);
  return (
    <EmptyState
      variant="call-to-action"
      message={t('channels.empty.title', 'No channels yet')}
      button={
        <Button icon="plus" size="lg" onClick={onAdd}>
          {t('channels.page.add', 'Add channel')}
        </Button>
      }
    >
      <p className={styles.details}>
        {t(
          'channels.empty.text',
          'A channel carries notifications to a phone, a mailbox or another service. Routes decide which ones.'
        )}
      </p>
    </EmptyState>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  note: css({ color: theme.colors.text.secondary, margin: 0 }),
  title: css({ ...theme.typography.h4, margin: 0 }),
  details: css({ maxWidth: 560, margin: '0 auto', color: theme.colors.text.secondary }),
});
