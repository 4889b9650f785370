import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, EmptyState, FilterInput, Icon, LinkButton, useStyles2 } from '@grafana/ui';
import { elementScroll, observeElementOffset, observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useDeferredValue, useMemo, useRef, useState, type RefObject } from 'react';
import Skeleton from 'react-loading-skeleton';
import { linkProps } from '../../components/links';
import { t } from '../../i18n/t';
import { DOCUMENT, usePlace } from '../../components/pagePlace';
import { countExternal, type ExternalRule, type RulerRules, searchExternal } from './external';
import { ExternalRow, RulerHead } from './ExternalRow';
import { searchRules, type Folder } from './folders';
import { foundCount, ruleCount, ruleError } from './messages';
import type { Rule, RuleValues } from './rule';
import { RuleRow } from './RuleRow';
import { useExternalRules, useRules } from './useRules';

interface Props {
  q: string;
  onSearch: (q: string) => void;
}

/** The rules of Grafana, by folder, then those of other rulers, by data source. Requests go to Grafana with the permissions of the user; the bridge has no part in it. */
export function RulesTab({ q, onSearch }: Props) {
  const styles = useStyles2(getStyles);
  const { data, error, isFetching, refetch } = useRules();
  const states = useRowStates();
  const query = useDeferredValue(q);
  const external = useExternalRules();
  const folders = useMemo(() => searchRules(data ?? [], query), [data, query]);
  const others = useMemo(() => searchExternal(external, query), [external, query]);
  const found = folders.reduce((sum, { rules }) => sum + rules.length, 0) + countExternal(others);
  const total = (data?.length ?? 0) + countExternal(external);
  const isEmpty = total === 0 && external.every((one) => !one.error);
  return (
    <div className={styles.tab}>
      {error && (
        <Alert
          severity="error"
          title={t('thresholds.rules.failed', 'Could not load the rules')}
          bottomSpacing={0}
          buttonContent={t('thresholds.saving.retry', 'Retry')}
          onRemove={() => void (isFetching || refetch())}
        >
          {ruleError(error)}
        </Alert>
      )}
      {!data && !error && <SkeletonRules />}
      {data && isEmpty && <NoRules />}
      {!isEmpty && (
        <>
          <div className={styles.tools}>
            <div className={styles.search} role="search">
              <FilterInput
                placeholder={t('thresholds.rules.search', 'Search rules and folders')}
                aria-label={t('thresholds.rules.search', 'Search rules and folders')}
                escapeRegex={false}
                value={q}
                onChange={onSearch}
              />
            </div>
            <span className={styles.count} role="status">
              {query.trim() === '' ? ruleCount(total) : foundCount(found, total)}
            </span>
          </div>
          {folders.length + others.length === 0 ? (
            <EmptyState
              variant="not-found"
              message={t('thresholds.rules.no-match', 'No rules found')}
              button={
                <Button variant="secondary" icon="times" onClick={() => onSearch('')}>
                  {t('thresholds.page.clear', 'Clear search')}
                </Button>
              }
            />
          ) : (
            <RuleList folders={folders} others={others} {...states} />
          )}
        </>
      )}
    </div>
  );
}

type Item = { key: string } & (
  | { type: 'folder'; folder: Folder }
  | { type: 'rule'; rule: Rule }
  | { type: 'ruler'; of: RulerRules }
  | { type: 'external'; source: string; rule: ExternalRule }
);

const itemsOf = (folders: readonly Folder[], others: readonly RulerRules[]): Item[] => [
  ...folders.flatMap((folder): Item[] => [
    { key: `folder ${folder.name}`, type: 'folder', folder },
    ...folder.rules.map((rule) => ({ key: rule.uid, type: 'rule' as const, rule })),
  ]),
  ...others.flatMap((of): Item[] => [
    { key: `ruler ${of.ruler.uid}`, type: 'ruler', of },
    ...of.rules.map((rule) => ({
      key: `external ${of.ruler.uid} ${rule.key}`,
      type: 'external' as const,
      source: of.ruler.name,
      rule,
    })),
  ]),
];

const FOLDER_HEIGHT = 44;
const ROW_HEIGHT = 64;

/** Positions of the items; the heights of opened rows are measured. */
function useItems(items: readonly Item[], container: RefObject<HTMLDivElement>) {
  const { offset, scroller } = usePlace(container, 'page');
  // eslint-disable-next-line react-hooks/incompatible-library -- As in the inbox: nothing here is memoized from its functions.
  const virtualizer = useVirtualizer<Element, Element>({
    ...(scroller
      ? { getScrollElement: () => scroller, observeElementRect, observeElementOffset, scrollToFn: elementScroll }
      : DOCUMENT),
    count: items.length,
    estimateSize: (index) => (items[index]?.type === 'folder' ? FOLDER_HEIGHT : ROW_HEIGHT),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    scrollMargin: offset,
  });
  return { virtualizer, offset };
}

/** Open rows and drafts are kept here: rows out of view, or not found by a search, are not rendered. */
function useRowStates() {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [drafts, setDrafts] = useState<ReadonlyMap<string, RuleValues>>(new Map());
  const onOpen = useCallback(
    (uid: string, open: boolean) =>
      setOpened((now) => new Set(open ? [...now, uid] : [...now].filter((one) => one !== uid))),
    []
  );
  const onDraft = useCallback(
    (uid: string, values: RuleValues | undefined) =>
      setDrafts((now) => new Map([...now].filter(([one]) => one !== uid).concat(values ? [[uid, values]] : []))),
    []
  );
  return { opened, drafts, onOpen, onDraft };
}

type RuleListProps = ReturnType<typeof useRowStates> & {
  folders: readonly Folder[];
  others: readonly RulerRules[];
};

function RuleList({ folders, others, opened, drafts, ...handlers }: RuleListProps) {
  const styles = useStyles2(getStyles);
  const items = useMemo(() => itemsOf(folders, others), [folders, others]);
  const container = useRef<HTMLDivElement>(null);
  const { virtualizer, offset } = useItems(items, container);
  return (
    <div ref={container} className={styles.container}>
      <ul
        className={styles.list}
        style={{ height: virtualizer.getTotalSize() }}
        aria-label={t('thresholds.rules.list', 'Grafana rules')}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          const place = { 'data-index': index, style: { transform: `translateY(${start - offset}px)` } };
          return (
            item && (
              <li key={key} ref={virtualizer.measureElement} className={styles.item} {...place}>
                <ItemRow item={item} opened={opened} drafts={drafts} {...handlers} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

function ItemRow({ item, opened, drafts, ...handlers }: ReturnType<typeof useRowStates> & { item: Item }) {
  switch (item.type) {
    case 'folder':
      return <FolderHead folder={item.folder} />;
    case 'ruler':
      return <RulerHead of={item.of} />;
    case 'external':
      return <ExternalRow source={item.source} rule={item.rule} />;
    case 'rule': {
      const { uid } = item.rule;
      return <RuleRow rule={item.rule} open={opened.has(uid)} draft={drafts.get(uid)} {...handlers} />;
    }
  }
}

function FolderHead({ folder: { name, rules } }: { folder: Folder }) {
  const styles = useStyles2(getStyles);
  return (
    <h2 className={styles.folder}>
      <Icon name="folder" /> <span dir="auto">{name}</span>
      <span className={styles.quiet}>{ruleCount(rules.length)}</span>
    </h2>
  );
}

function NoRules() {
  return (
    <EmptyState
      variant="call-to-action"
      message={t('thresholds.rules.empty', 'No alert rules')}
      button={
        <LinkButton icon="bell" variant="secondary" {...linkProps('/alerting/list')}>
          {t('thresholds.rules.alerting', 'Alert rules in Grafana')}
        </LinkButton>
      }
    >
      {t('thresholds.rules.empty-text', 'Rules of Grafana Alerting appear here, if you have access to their folders.')}
    </EmptyState>
  );
}

function SkeletonRules() {
  return (
    <div role="status" aria-label={t('thresholds.rules.loading', 'Loading rules')}>
      <Skeleton count={6} height={ROW_HEIGHT - 12} />
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  tab: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  tools: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1, 2) }),
  search: css({ flex: '1 1 240px', maxWidth: 320, minWidth: 0, '@media (max-width: 600px)': { maxWidth: 'none' } }),
  count: css({ marginLeft: 'auto', color: theme.colors.text.secondary, fontVariantNumeric: 'tabular-nums' }),
  container: css({ container: 'thresholds / inline-size' }),
  list: css({ listStyle: 'none', position: 'relative' }),
  item: css({ position: 'absolute', top: 0, left: 0, right: 0 }),
  folder: css({
    ...theme.typography.h5,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    minHeight: FOLDER_HEIGHT,
    margin: 0,
    padding: theme.spacing(1, 0),
    overflowWrap: 'anywhere',
  }),
  quiet: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize, fontWeight: 400 }),
});
