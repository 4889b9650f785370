import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Drawer, EmptyState, FilterInput, Stack, Switch, Text, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useState } from 'react';
import type { Category } from '@nodebell/contract/query.ts';
import { t } from '../../i18n/t';
import { SkeletonList } from '../list/SkeletonRow';
import { categoriesQuery } from '../../api/notifications';
import { categoryName, notificationCount } from '../../components/messages';
import { SecondaryText } from '../../components/SecondaryText';
import { Failure } from '../../components/Failure';

interface Props {
  /** Undefined without permission. */
  onSwitch: ((category: string, enabled: boolean) => void) | undefined;
  disabled: boolean;
  onClose: () => void;
}

/** A switch for every category, including muted ones. */
export function CategoriesDrawer({ onSwitch, disabled, onClose }: Props) {
  const { data, error } = useQuery(categoriesQuery());
  const [query, setQuery] = useState('');
  const shown = data?.filter(({ category }) => category.toLowerCase().includes(query.trim().toLowerCase()));
  return (
    <Drawer
      title={t('inbox.categories.title', 'Categories')}
      subtitle={t(
        'inbox.categories.what',
        'Notifications in a category that is turned off are stored, but not shown or counted.'
      )}
      size="sm"
      scrollableContent={false}
      onClose={onClose}
    >
      <Stack direction="column" gap={2} height="100%" minHeight={0}>
        <Failure title={t('inbox.categories.failed', 'Could not load the categories')} error={error} />
        {data && data.length > 8 && (
          <FilterInput
            placeholder={t('inbox.categories.search', 'Search categories')}
            escapeRegex={false}
            value={query}
            onChange={setQuery}
          />
        )}
        {!data && !error && <SkeletonList rows={4} />}
        {shown?.length === 0 && (
          <EmptyState
            variant="not-found"
            message={
              data?.length
                ? t('inbox.categories.no-match', 'No matching categories')
                : t('inbox.categories.none', 'No categories yet')
            }
          >
            {t('inbox.categories.appears', 'A category appears with its first notification.')}
          </EmptyState>
        )}
        {shown && shown.length > 0 && <CategoryList categories={shown} onSwitch={onSwitch} disabled={disabled} />}
      </Stack>
    </Drawer>
  );
}

const countWords = ({ count, unseen }: Category): string =>
  unseen > 0
    ? t('inbox.categories.unread', '', {
        count,
        unseen,
        defaultValue_one: '{{count, number}} notification, {{unseen, number}} unread',
        defaultValue_other: '{{count, number}} notifications, {{unseen, number}} unread',
      })
    : notificationCount(count);

const ROW_HEIGHT = 56;

function CategoryList({
  categories,
  onSwitch,
  disabled,
}: Pick<Props, 'onSwitch' | 'disabled'> & { categories: Category[] }) {
  const styles = useStyles2(getStyles);
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const virtualizer = useVirtualizer({
    count: categories.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_HEIGHT,
    overscan: 5,
  });
  return (
    <div ref={setScroller} className={styles.scroller}>
      <ul className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const item = categories[index];
          return (
            item && (
              <li key={item.category} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
                <label className={styles.label} htmlFor={`category-${index}`}>
                  <Text truncate dir="auto" textAlignment="left" title={categoryName(item.category)}>
                    {categoryName(item.category)}
                  </Text>
                  <SecondaryText>{countWords(item)}</SecondaryText>
                </label>
                <Switch
                  id={`category-${index}`}
                  value={item.enabled}
                  disabled={disabled || !onSwitch}
                  onChange={(event) => onSwitch?.(item.category, event.currentTarget.checked)}
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  scroller: css({ flex: 1, minHeight: 0, overflowY: 'auto' }),
  list: css({ listStyle: 'none', position: 'relative' }),
  row: css({
    position: 'absolute',
    top: 0,
    left: 0,
    right: 0,
    height: ROW_HEIGHT,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(2),
    paddingRight: theme.spacing(1),
    borderBottom: `1px solid ${theme.colors.border.weak}`,
  }),
  label: css({
    flex: 1,
    minWidth: 0,
    display: 'flex',
    flexDirection: 'column',
    margin: 0,
    overflow: 'hidden',
    cursor: 'pointer',
  }),
});
