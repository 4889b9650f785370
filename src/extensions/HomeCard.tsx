import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, LinkButton, Text, useStyles2 } from '@grafana/ui';
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
import { rememberUnread } from './unread';

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
  const styles = useStyles2(getStyles);
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
    <section className={styles.card} aria-label={t('extensions.home.label', 'Nodebell inbox')}>
      <div className={styles.head}>
        <Icon name="bell" size="lg" />
        <Text element="h3" variant="h5">
          {t('extensions.home.title', 'Nodebell inbox')}
        </Text>
      </div>
      <p className={styles.line} role="status">
        <Summary counts={counts} />
      </p>
      {critical.data && critical.data.length > 0 && <Newest notifications={critical.data} />}
      <LinkButton variant="secondary" size="sm" icon="arrow-right" {...linkProps(pathTo.inbox)}>
        {t('extensions.home.open', 'Open the inbox')}
      </LinkButton>
    </section>
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
  const styles = useStyles2(getStyles);
  const now = useNow();
  return (
    <>
      <Text element="h4" variant="bodySmall" color="secondary">
        {t('extensions.home.critical', 'Latest critical notifications')}
      </Text>
      <ul className={styles.list}>
        {notifications.map((row) => (
          <li key={row.id} className={styles.row}>
            <a className={styles.title} dir="auto" title={rowTitle(row)} {...linkProps(pathOf(row))}>
              {rowTitle(row)}
            </a>
            <span className={styles.quiet}>
              {shortName(row.dnpName)},{' '}
              <time dateTime={row.timestamp} title={absoluteTime(row.timestamp)}>
                {listTime(row.timestamp, now)}
              </time>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function pathOf(row: Notification): string {
  const burst = burstOf(row);
  return burst ? pathTo.burst(burst.id) : pathTo.notification(row.id);
}

const getStyles = (theme: GrafanaTheme2) => ({
  card: css({ display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: theme.spacing(1), minWidth: 0 }),
  head: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1) }),
  line: css({ margin: 0 }),
  list: css({ listStyle: 'none', width: '100%', display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }),
  row: css({ display: 'flex', flexDirection: 'column', minWidth: 0 }),
  title: css({
    ...{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    color: theme.colors.text.link,
    '&:hover': { textDecoration: 'underline' },
  }),
  quiet: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
});
