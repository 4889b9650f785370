import type { ChainNode } from '@nodebell/contract/chain.ts';
import { ScrollingTabs } from '../../components/ScrollingTabs';
import { t } from '../../i18n/t';
import { isInTab, TABS, type ChainFilter, type Tab as TabName } from '../order';
import { countLabel } from '../messages';
import { SearchBar } from '../../components/SearchBar';

const TAB_LABELS: Record<TabName, () => string> = {
  all: () => t('chains.tabs.all', 'All'),
  attention: () => t('chains.tabs.attention', 'Needs attention'),
  syncing: () => t('chains.tabs.syncing', 'Syncing'),
  synced: () => t('chains.tabs.synced', 'Synced'),
};

interface Props {
  nodes: ChainNode[];
  shown: number;
  filter: ChainFilter;
  onChange: (change: Partial<ChainFilter>) => void;
}

/** Tabs by state with their counts, and a search. */
export function ChainFilters({ nodes, shown, filter, onChange }: Props) {
  const { tab, q } = filter;
  return (
    <>
      <ScrollingTabs
        active={tab}
        tabs={TABS.map((name) => ({
          name,
          label: TAB_LABELS[name](),
          counter: nodes.filter((node) => isInTab(name, node)).length,
        }))}
        onChange={(name) => onChange({ tab: name })}
      />
      <SearchBar
        label={t('chains.list.filter', 'Filter nodes')}
        placeholder={t('chains.list.search', 'Search by chain or package')}
        value={q}
        onChange={(next) => onChange({ q: next })}
        count={countLabel(shown, nodes.length)}
      />
    </>
  );
}
