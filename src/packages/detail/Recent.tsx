import { Box, Stack } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { stateSign } from '../../components/threads';
import { absoluteTime, listTime } from '../../components/moments';
import { StateText } from '../../components/StateText';
import { useNow } from '../../components/timers';
import { pathTo } from '../../routes';
import { recentQuery } from '../queries';
import { Section } from './Section';
import { List } from '../../components/List';
import { PageLink } from '../../components/PageLink';
import { SecondaryText } from '../../components/SecondaryText';

/** The most recent notifications of a package. */
export function Recent({ dnpName, limit = 3 }: { dnpName: string; limit?: number }) {
  const { data, error } = useQuery(recentQuery(dnpName, limit));
  const now = useNow();
  return (
    <Section
      title={t('packages.recent.title', 'Recent notifications')}
      empty={data?.length === 0 && t('packages.recent.none', 'No notifications yet.')}
    >
      {error && !data && (
        <SecondaryText element="p" role="alert">
          {explain(error)}
        </SecondaryText>
      )}
      <List gap={1}>
        {data?.map((one) => {
          const state = stateSign(one.thread, now, 'short');
          return (
            <Box key={one.id} element="li" display="flex" direction="column" minWidth={0}>
              <PageLink subtle dir="auto" href={pathTo.notification(one.id)}>
                {one.title}
              </PageLink>
              <Stack wrap alignItems="center" rowGap={0} columnGap={1.5}>
                {state && <StateText {...state} />}
                <SecondaryText tabular>
                  <time dateTime={one.timestamp} title={absoluteTime(one.timestamp)}>
                    {listTime(one.timestamp, now)}
                  </time>
                </SecondaryText>
              </Stack>
            </Box>
          );
        })}
      </List>
      {data && data.length > 0 && (
        <Box marginTop={1}>
          <PageLink href={pathTo.inboxOf(dnpName)}>{t('packages.recent.all', 'View all in inbox')}</PageLink>
        </Box>
      )}
    </Section>
  );
}
