import { css } from '@emotion/css';
import { Tab, TabsBar } from '@grafana/ui';
import { useEffect, useRef } from 'react';
import { type Facets, KEPT_UNREAD } from '@nodebell/contract/query.ts';
import { t } from '../i18n/t';
import { TABS, type Tab as TabName } from './view';

function tabLabel(tab: TabName): string {
  switch (tab) {
    case 'all':
      return t('inbox.tabs.all', 'All');
    case 'unread':
      return t('inbox.tabs.unread', 'Unread');
    case 'open':
      return t('inbox.tabs.open', 'Open');
    case 'muted':
      return t('inbox.tabs.muted', 'Muted');
    case 'errors':
      return t('inbox.tabs.errors', 'Delivery errors');
  }
}

interface Props {
  tab: TabName;
  /** The counts under the present filters. */
  counts: Facets | undefined;
  onChange: (tab: TabName) => void;
}

/** The bar of tabs does not scroll by itself, so on a phone this does, and keeps the active one in sight. */
export function InboxTabs({ tab, counts, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const active = box.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (active && box.current) {
      box.current.scrollTo({ left: active.offsetLeft - box.current.clientWidth / 2 + active.clientWidth / 2 });
    }
  }, [tab]);
  const counters: Partial<Record<TabName, number | undefined>> = { unread: counts?.unseen, open: counts?.open };
  return (
    <div ref={box} className={scroller}>
      <TabsBar>
        {TABS.map((name) => (
          <Tab
            key={name}
            label={tabLabel(name)}
            active={name === tab}
            counter={counters[name] ?? null}
            {...(name === 'unread' && counts?.moreUnread && { suffix: AndOlder })}
            onChangeTab={() => onChange(name)}
          />
        ))}
      </TabsBar>
    </div>
  );
}

/** Shown after the number of unread notifications when it has reached its maximum. */
function AndOlder() {
  const words = t(
    'inbox.tabs.older',
    'At least your newest {{kept, number}} unread are kept; older ones may count as read.',
    {
      kept: KEPT_UNREAD,
    }
  );
  return (
    <span title={words} aria-label={words} role="note">
      +
    </span>
  );
}

const scroller = css({
  overflowX: 'auto',
  scrollbarWidth: 'none',
  position: 'relative',
  '&::-webkit-scrollbar': { display: 'none' },
  '& > *': { minWidth: 'max-content' },
});
