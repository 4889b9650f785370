import { Button, EmptyState, LoadingPlaceholder, Stack, Text } from '@grafana/ui';
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
  const query = useQuery({ ...channelsQuery, enabled: mayAdmin });
  const { data, error } = query;
  const [search, setSearch] = useSearchParams();
  const go = (change: Record<string, string>) => setSearch(change);
  const edited = search.get('edit');
  const isForm = search.has('add') || edited !== null;
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      page="channels"
      query={query}
      subTitle={t('channels.page.subtitle', 'Where notifications go besides the inbox')}
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
            // Going back does not open it again.
            onDone={() => setSearch({}, { replace: true })}
          />
        ) : (
          <Tabs list={data} search={search} onChange={go} />
        ))}
    </LivePage>
  );
}

/** Channel settings of a user who is no admin. */
function OwnChannels({ children }: { children: ReactNode }) {
  return (
    <Stack direction="column" gap={2}>
      <Text color="secondary">{t('channels.page.forbidden', 'Only admins can see the channels of everybody.')}</Text>
      <Text element="h2" variant="h4">
        {t('channels.page.own', 'Your devices')}
      </Text>
      {children}
    </Stack>
  );
}

interface TabsProps {
  list: ChannelList;
  search: URLSearchParams;
  onChange: (change: Record<string, string>) => void;
}

function Tabs({ list, search, onChange }: TabsProps) {
  const active = TABS.find((name) => name === search.get('tab')) ?? 'channels';
  const undelivered = list.channels.reduce((sum, one) => sum + one.undelivered, 0);
  if (list.channels.length === 0 && list.routes.length === 0) {
    return <NoChannels onAdd={() => onChange({ add: '1' })} />;
  }
  const open = (tab: TabName) => onChange(tab === 'channels' ? {} : { tab });
  return (
    <Stack direction="column" gap={2}>
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
      {active === 'undelivered' && <UndeliveredTab count={undelivered} />}
    </Stack>
  );
}

function NoChannels({ onAdd }: { onAdd: () => void }) {
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
      <Text element="p" color="secondary">
        {t(
          'channels.empty.text',
          'A channel carries notifications to a phone, a mailbox or another service. Routes decide which ones.'
        )}
      </Text>
    </EmptyState>
  );
}
