import { Box } from '@grafana/ui';
import type { DataLink, PanelProps, TimeRange } from '@grafana/data';
import type { Notification } from '@nodebell/contract/notification.ts';
import { createQueryClient, explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { PageLink } from '../../components/PageLink';
import { PanelContent, PanelShell } from '../../components/Panel';
import { useNow } from '../../components/timers';
import { pathTo } from '../../routes';
import { inboxSearch, toFilters, type Range, type Replace } from './filters';
import { readOptions, type InboxPanelOptions } from './options';
import { PanelRow, roomOf } from './PanelRow';
import { useNotifications } from './useNotifications';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';

/** Shared by all panels of a dashboard. */
const client = createQueryClient();

/** Dashboard panel: notifications, filtered by the dashboard's time range and variables. */
export function InboxPanel(props: PanelProps<InboxPanelOptions>) {
  return (
    <PanelShell client={client}>
      <Notifications {...props} options={readOptions(props.options)} />
    </PanelShell>
  );
}

function Notifications({ options, timeRange, width, fieldConfig, replaceVariables }: PanelProps<InboxPanelOptions>) {
  const now = useNow();
  const replace = replaceVariables as Replace;
  // Not memoized: when a variable changes, Grafana rerenders the panel with the same function.
  const filters = toFilters(options, toRange(timeRange), replace);
  const { data, error, retry } = useNotifications(filters, options.limit);
  const linksOf = (notification: Notification): DataLink[] =>
    (fieldConfig.defaults.links ?? []).map((link) => ({
      ...link,
      title: replaceVariables(link.title, scoped(notification)) || link.url,
      url: replaceVariables(link.url, scoped(notification)),
    }));
  return (
    <PanelContent
      label={t('panels.inbox.label', 'Inbox')}
      error={
        error &&
        (data
          ? t('panels.note.stale', 'Stale data, the last update failed: {{message}}', { message: explain(error) })
          : t('panels.inbox.failed', 'Could not load the inbox: {{message}}', { message: explain(error) }))
      }
      onRetry={retry}
      loading={!data && !error}
      empty={data?.length === 0 ? nothing(options) : undefined}
    >
      <List>
        {data?.map((notification) => (
          <PanelRow
            key={notification.id}
            notification={notification}
            now={now}
            room={roomOf(width)}
            links={linksOf(notification)}
          />
        ))}
      </List>
      <Box padding={1}>
        <SecondaryText element="p">
          <PageLink href={`${pathTo.inbox}${inboxSearch(options, replace)}`}>
            {data?.length === options.limit
              ? t('panels.inbox.more', 'More in the inbox')
              : t('panels.inbox.open', 'Open inbox')}
          </PageLink>
        </SecondaryText>
      </Box>
    </PanelContent>
  );
}

/** Variables such as `${notification.dnpName}` in data links. */
const scoped = (notification: Notification) => ({ notification: { text: notification.title, value: notification } });

function toRange({ from, to, raw }: TimeRange): Range {
  return { from: from.toISOString(), ...(raw.to !== 'now' && { to: to.toISOString() }) };
}

function nothing({ show, timeRange }: InboxPanelOptions): string {
  if (show === 'open') {
    return t('panels.inbox.none-open', 'No open threads.');
  }
  if (show === 'unread') {
    return timeRange
      ? t('panels.inbox.none-unread-in-range', 'No unread notifications in this time range.')
      : t('panels.inbox.none-unread', 'No unread notifications.');
  }
  return timeRange
    ? t('panels.inbox.quiet-in-range', 'No notifications in this time range.')
    : t('panels.inbox.quiet', 'No notifications.');
}
