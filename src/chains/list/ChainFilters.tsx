import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { FilterInput, Stack, useStyles2 } from '@grafana/ui';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { ScrollingTabs } from '../../components/ScrollingTabs';
import { t } from '../../i18n/t';
import { isInTab, TABS, type ChainFilter, type Tab as TabName } from '../order';
import { countLabel } from '../messages';

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
  const styles = useStyles2(getStyles);
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
      <Stack wrap alignItems="center" role="search" aria-label={t('chains.list.filter', 'Filter nodes')}>
        <div className={styles.search}>
          <FilterInput
            placeholder={t('chains.list.search', 'Search by chain or package')}
            aria-label={t('chains.list.search', 'Search by chain or package')}
            escapeRegex={false}
            value={q}
            onChange={(next) => onChange({ q: next })}
          />
        </div>
        <span className={styles.count} role="status">
          {countLabel(shown, nodes.length)}
        </span>
      </Stack>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  search: css({ flex: '1 1 240px', maxWidth: 280, '@media (max-width: 600px)': { maxWidth: 'none' } }),
  count: css({ marginLeft: 'auto', color: theme.colors.text.secondary, fontVariantNumeric: 'tabular-nums' }),
});
