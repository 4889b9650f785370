import { EmptyState, LoadingPlaceholder, Stack, Text, TextLink } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Schedules } from '@nodebell/contract/onCall.ts';
import { may } from '../api/permissions';
import { schedulesQuery } from '../api/schedules';
import { List } from '../components/List';
import { LivePage } from '../components/LivePage';
import { useLastFound } from '../components/useLastFound';
import { NoMatch } from '../components/NoMatch';
import { SearchBar } from '../components/SearchBar';
import { t } from '../i18n/t';
import { docsUrl } from '../routes';
import { OverrideForm } from './OverrideForm';
import { ScheduleCard } from './ScheduleCard';

/** Who is on call: schedules of provisioning files, and overrides. */
export default function OnCallPage({ bridgeUrl }: { bridgeUrl: string }) {
  const query = useQuery(schedulesQuery);
  const { data, error } = query;
  const [search, setSearch] = useSearchParams();
  const name = search.get('override');
  const overridden = useLastFound(
    data?.schedules.find((one) => one.name === name),
    name
  );
  const [from, to] = [search.get('from'), search.get('to')];
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      page="onCall"
      query={query}
      subTitle={t('on-call.page.subtitle', 'Who is notified, and when')}
    >
      {data ? (
        <ScheduleList {...data} onOverride={(change) => setSearch(change)} />
      ) : (
        !error && <LoadingPlaceholder text={t('on-call.page.loading', 'Loading schedules…')} />
      )}
      {data && overridden && may('inbox:write') && (
        <OverrideForm
          key={[overridden.name, from, to].join()}
          schedule={overridden}
          people={data.people}
          span={{ from, to }}
          // Going back does not open it again.
          onDone={() => setSearch({}, { replace: true })}
        />
      )}
    </LivePage>
  );
}

/** Schedules without a search field. */
const FEW = 5;

function ScheduleList({
  schedules,
  people,
  mine,
  onOverride,
}: Schedules & { onOverride: (search: Record<string, string>) => void }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLocaleLowerCase();
  const shown = schedules.filter(({ name, onCall, next }) =>
    [name, ...onCall, ...next].some((one) => one.toLocaleLowerCase().includes(wanted))
  );
  if (schedules.length === 0) {
    return <NoSchedules />;
  }
  return (
    <Stack direction="column" gap={2}>
      {schedules.length > FEW && (
        <SearchBar
          label={t('on-call.search.label', 'Search schedules')}
          placeholder={t('on-call.search.placeholder', 'Search by schedule or person')}
          value={text}
          onChange={setText}
          count={t('on-call.search.count', '{{shown, number}} of {{all, number}} schedules', {
            shown: shown.length,
            all: schedules.length,
          })}
        />
      )}
      {shown.length === 0 ? (
        <NoMatch message={t('on-call.search.none', 'No schedules match')} onClear={() => setText('')} />
      ) : (
        <List gap={2}>
          {shown.map((schedule) => (
            <ScheduleCard
              key={schedule.name}
              {...{ schedule, people, onOverride }}
              isMine={mine.some((one) => one.schedule === schedule.name)}
            />
          ))}
        </List>
      )}
    </Stack>
  );
}

const NoSchedules = () => (
  <EmptyState
    variant="call-to-action"
    message={t('on-call.empty.title', 'No schedules yet')}
    button={
      <TextLink external href={docsUrl('channels.md#on-call')}>
        {t('on-call.empty.docs', 'How to provision a schedule')}
      </TextLink>
    }
  >
    <Text element="p" color="secondary">
      {t(
        'on-call.empty.text',
        'A schedule says who is on call, and routes lead to it. Schedules and the channels of people are in provisioning files of the bridge.'
      )}
    </Text>
  </EmptyState>
);
