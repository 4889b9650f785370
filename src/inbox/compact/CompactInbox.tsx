import type { DataLink } from '@grafana/data';
import { Box } from '@grafana/ui';
import type { Notification } from '@nodebell/contract/notification.ts';
import { explain } from '../../api/queryClient';
import { List } from '../../components/List';
import { PageLink } from '../../components/PageLink';
import { PanelContent } from '../../components/Panel';
import { SecondaryText } from '../../components/SecondaryText';
import { useNow } from '../../components/timers';
import type { InboxProps } from '../../extensionApi';
import { t } from '../../i18n/t';
import { pathTo } from '../../routes';
import { EMPTY_VIEW, type View, writeView } from '../view';
import { CompactRow, roomOf } from './CompactRow';
import { type ListFilters, useNotifications } from './useNotifications';

type Shown = NonNullable<InboxProps['show']>;

/** The Inbox page with these filters. */
export function inboxPath(view: Partial<View>): string {
  const search = writeView({ ...EMPTY_VIEW, ...view }).toString();
  return search === '' ? pathTo.inbox : `${pathTo.inbox}?${search}`;
}

interface Props {
  filters: ListFilters;
  /** Maximum number of rows. */
  limit: number;
  /** In pixels. */
  width: number;
  /** View of the Inbox page with these filters. */
  view: Pick<View, 'packages' | 'categories' | 'priorities'> & { tab: Shown };
  /** The filters have a time range. */
  inRange?: boolean;
  linksOf?: (notification: Notification) => DataLink[];
}

/** The inbox outside its page: one row for each thread or burst, and a link to the page. */
export function CompactInbox({ filters, limit, width, view, inRange = false, linksOf }: Props) {
  const now = useNow();
  const { data, error, retry } = useNotifications(filters, limit);
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
      empty={data?.length === 0 ? nothing(view.tab, inRange) : undefined}
    >
      <List>
        {data?.map((notification) => (
          <CompactRow
            key={notification.id}
            notification={notification}
            now={now}
            room={roomOf(width)}
            links={linksOf?.(notification) ?? []}
          />
        ))}
      </List>
      <Box padding={1}>
        <SecondaryText element="p">
          <PageLink href={inboxPath(view)}>
            {data?.length === limit
              ? t('panels.inbox.more', 'More in the inbox')
              : t('panels.inbox.open', 'Open inbox')}
          </PageLink>
        </SecondaryText>
      </Box>
    </PanelContent>
  );
}

function nothing(show: Shown, inRange: boolean): string {
  if (show === 'open') {
    return t('panels.inbox.none-open', 'No open threads.');
  }
  if (show === 'unread') {
    return inRange
      ? t('panels.inbox.none-unread-in-range', 'No unread notifications in this time range.')
      : t('panels.inbox.none-unread', 'No unread notifications.');
  }
  return inRange
    ? t('panels.inbox.quiet-in-range', 'No notifications in this time range.')
    : t('panels.inbox.quiet', 'No notifications.');
}
