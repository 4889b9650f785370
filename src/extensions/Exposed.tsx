/** Components for pages of other apps, with all that the pages of this app provide. */
import { Icon, Stack } from '@grafana/ui';
import { explain } from '../api/queryClient';
import { useWidth } from '../components/layout';
import { PageLink } from '../components/PageLink';
import { PanelShell } from '../components/Panel';
import type { InboxProps, UnreadCountProps } from '../extensionApi';
import { t } from '../i18n/t';
import { CompactInbox, inboxPath } from '../inbox/compact/CompactInbox';
import { useUnreadCount } from '../inbox/compact/useNotifications';

const MOST_ROWS = 200;

const filterOf = ({ packages, categories, priorities }: UnreadCountProps) => ({
  dnpName: packages,
  category: categories,
  priority: priorities,
});
const viewOf = ({ packages = [], categories = [], priorities = [] }: UnreadCountProps) => ({
  packages,
  categories,
  priorities,
});

/** A list of threads, open ones first. */
export function ExposedInbox({ show = 'all', limit = 50, ...props }: InboxProps) {
  const [ref, width = 0] = useWidth();
  const filter = { ...filterOf(props), ...(show === 'unread' && { read: 'false' as const }) };
  return (
    <PanelShell>
      <div ref={ref}>
        <CompactInbox
          filters={{
            open: { ...filter, open: 'true' },
            others: show === 'open' ? undefined : { ...filter, open: 'false' },
          }}
          limit={Math.min(limit, MOST_ROWS)}
          view={{ ...viewOf(props), tab: show }}
          width={width}
        />
      </div>
    </PanelShell>
  );
}

/** The number of unread threads. */
export const ExposedUnreadCount = (props: UnreadCountProps) => (
  <PanelShell>
    <UnreadCount {...props} />
  </PanelShell>
);

function UnreadCount(props: UnreadCountProps) {
  const { unread, error } = useUnreadCount(filterOf(props));
  const text =
    unread !== undefined
      ? t('extensions.count.unread', 'Unread: {{unread, number}}', { unread })
      : error
        ? t('extensions.home.failed', 'Could not load the inbox. {{why}}', { why: explain(error) })
        : t('extensions.home.asking', 'Loading…');
  return (
    <Stack alignItems="center" gap={1}>
      <Icon name="bell" />
      <PageLink href={inboxPath({ ...viewOf(props), tab: 'unread' })}>{text}</PageLink>
    </Stack>
  );
}
