import { LIMITS } from '@nodebell/contract/limits.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { ScrollingTabs } from '../components/ScrollingTabs';
import { t } from '../i18n/t';
import { TABS, type Tab as TabName } from './view';

const LABELS: Record<TabName, () => string> = {
  all: () => t('inbox.tabs.all', 'All'),
  unread: () => t('inbox.tabs.unread', 'Unread'),
  open: () => t('inbox.tabs.open', 'Open'),
  muted: () => t('inbox.tabs.muted', 'Muted'),
  errors: () => t('inbox.tabs.errors', 'Delivery errors'),
};

interface Props {
  tab: TabName;
  /** The counts under the present filters. */
  counts: Facets | undefined;
  onChange: (tab: TabName) => void;
}

export function InboxTabs({ tab, counts, onChange }: Props) {
  const counters: Partial<Record<TabName, number | undefined>> = { unread: counts?.unseen, open: counts?.open };
  return (
    <ScrollingTabs
      active={tab}
      tabs={TABS.map((name) => ({
        name,
        label: LABELS[name](),
        counter: counters[name],
        ...(name === 'unread' && counts?.moreUnread && { suffix: AndOlder }),
      }))}
      onChange={onChange}
    />
  );
}

/** Shown after the number of unread notifications when it has reached its maximum. */
function AndOlder() {
  const label = t(
    'inbox.tabs.older',
    'At least your newest {{kept, number}} unread are kept; older ones may count as read.',
    {
      kept: LIMITS.keptUnread.value,
    }
  );
  return (
    <span title={label} aria-label={label} role="note">
      +
    </span>
  );
}
