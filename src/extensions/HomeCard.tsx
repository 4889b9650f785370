import { Box, Icon, LinkButton, Stack, Text } from '@grafana/ui';
import { QueryClientProvider, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Notification } from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { getFacets, listNotifications } from '../api/notifications';
import { createQueryClient, explain } from '../api/queryClient';
import { t } from '../i18n/t';
import { linkProps } from '../components/links';
import { absoluteTime, listTime } from '../components/moments';
import { useNow } from '../components/timers';
import { shortName } from '../components/messages';
import { burstOf } from '../components/bursts';
import { rowTitle } from '../components/threads';
import { pathTo } from '../routes';
import { rememberUnread } from '../components/unread';
import { List } from '../components/List';
import { SecondaryText } from '../components/SecondaryText';
import { PageLink } from '../components/PageLink';

const MOST = 3;
const FRESH_MS = 60_000;
const client = createQueryClient();

/** Unread count and critical notifications, for the start page of Grafana Alerting. */
export default function HomeCard() {
  return (
    <QueryClientProvider client={client}>
      <Card />
    </QueryClientProvider>
  );
}

function Card() {
  const counts = useQuery({
    queryKey: ['home', 'counts'],
    queryFn: ({ signal }) => getFacets({ latest: 'true' }, signal),
    ...{ staleTime: 0, refetchInterval: FRESH_MS },
  });
  const critical = useQuery({
    queryKey: ['home', 'critical'],
    queryFn: ({ signal }) =>
      listNotifications({ latest: 'true', bursts: 'collapsed', priority: ['critical'] }, MOST, signal),
    ...{ staleTime: 0, refetchInterval: FRESH_MS },
  });
  const unread = counts.data?.unseen;
  useEffect(() => {
    if (unread !== undefined) {
      rememberUnread(unread);
    }
  }, [unread]);
  return (
    <Box
      element="section"
      display="flex"
      direction="column"
      alignItems="flex-start"
      gap={1}
      minWidth={0}
      aria-label={t('extensions.home.label', 'Nodebell inbox')}
    >
      <Stack alignItems="center">
        <Icon name="bell" size="lg" />
        <Text element="h3" variant="h5">
          {t('extensions.home.title', 'Nodebell inbox')}
        </Text>
      </Stack>
      <Text element="p" role="status">
        <Summary counts={counts} />
      </Text>
      {critical.data && critical.data.length > 0 && <Newest notifications={critical.data} />}
      <LinkButton variant="secondary" size="sm" icon="arrow-right" {...linkProps(pathTo.inbox)}>
        {t('extensions.home.open', 'Open the inbox')}
      </LinkButton>
    </Box>
  );
}

function Summary({ counts: { data, error } }: { counts: UseQueryResult<Facets, Parameters<typeof explain>[0]> }) {
  if (data === undefined) {
    return error
      ? t('extensions.home.failed', 'Could not load the inbox. {{why}}', { why: explain(error) })
      : t('extensions.home.asking', 'Loading…');
  }
  return data.unseen === 0
    ? t('extensions.home.none', 'No unread notifications. Open: {{open, number}}', { open: data.open })
    : t('extensions.home.unread', 'Unread: {{unread, number}}. Open: {{open, number}}', {
        unread: data.unseen,
        open: data.open,
      });
}

function Newest({ notifications }: { notifications: Notification[] }) {
  const now = useNow();
  return (
    <>
      <SecondaryText element="h4">{t('extensions.home.critical', 'Latest critical notifications')}</SecondaryText>
      <List width="100%" gap={1}>
        {notifications.map((row) => (
          <Box key={row.id} element="li" display="flex" direction="column" minWidth={0}>
            <Text truncate dir="auto" title={rowTitle(row)}>
              <PageLink href={pathOf(row)}>{rowTitle(row)}</PageLink>
            </Text>
            <SecondaryText>
              {shortName(row.dnpName)},{' '}
              <time dateTime={row.timestamp} title={absoluteTime(row.timestamp)}>
                {listTime(row.timestamp, now)}
              </time>
            </SecondaryText>
          </Box>
        ))}
      </List>
    </>
  );
}

function pathOf(row: Notification): string {
  const burst = burstOf(row);
  return burst ? pathTo.burst(burst.id) : pathTo.notification(row.id);
}
